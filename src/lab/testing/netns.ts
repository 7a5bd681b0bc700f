import { addNetnses, removeNetnses, type Netns } from '../netns';

export async function addNetns(name: string): Promise<Netns> {
  const [netns] = await addNetnses([name]);
  if (!netns) throw new Error(`there is no namespace ${name}`);
  return netns;
}

export const removeNetns = (netns: Netns): Promise<void> => removeNetnses([netns]);

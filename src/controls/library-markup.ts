import * as components from 'media-chrome';
import * as menus from 'media-chrome/menu';

/** The part of Trusted Types (W3C) that is used here; TypeScript does not declare it. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createHTML: (html: string) => string },
  ): { createHTML(html: string): string };
}

/** Name of the only Trusted Types policy that our pages permit. */
const POLICY = 'media-chrome';

let createHtml: ((html: string) => string) | undefined;

/**
 * Lets media-chrome work under a Content-Security-Policy without inline styles and with Trusted Types.
 * Its elements write constant markup with `<style>` into their shadow roots. The markup passes one named policy. The
 * styles become adopted style sheets. Their elements stay, empty, the only inline style whose hash is permitted: the
 * library inserts rules into them through the CSSOM.
 * Call before the first element is created. Idempotent.
 */
export function admitLibraryMarkup(): void {
  if (createHtml) return;
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy(POLICY, { createHTML: (html) => html });
  createHtml = (html) => policy?.createHTML(html) ?? html;
  for (const candidate of [...Object.values(components), ...Object.values(menus)]) {
    if (isElementClass(candidate)) candidate.prototype.attachShadow = attachShadow;
  }
}

/** Typed as the string that a browser without Trusted Types takes. */
function trusted(html: string): string {
  return createHtml?.(html) ?? html;
}

function isElementClass(value: unknown): value is typeof HTMLElement {
  return typeof value === 'function' && value.prototype instanceof HTMLElement;
}

function attachShadow(this: HTMLElement, init: ShadowRootInit): ShadowRoot {
  const root = HTMLElement.prototype.attachShadow.call(this, init);
  const write = (html: string): void => {
    writeMarkup(root, html);
    // Their text changes later: displays of time and speed, tooltips.
    for (const element of root.querySelectorAll('slot, [id]')) ownMarkup(element);
  };
  ownMarkup(root, write);
  return root;
}

/** Gives an element markup setters of its own, which pass the policy. */
function ownMarkup(
  element: Element | ShadowRoot,
  write = (html: string): void => setInnerHtml(element, html),
): void {
  Object.defineProperties(element, {
    innerHTML: { configurable: true, get: () => readInnerHtml(element), set: write },
    setHTMLUnsafe: { configurable: true, value: write },
    insertAdjacentHTML: {
      configurable: true,
      value: (where: InsertPosition, html: string) =>
        Element.prototype.insertAdjacentHTML.call(element, where, trusted(html)),
    },
  });
}

/** A layer: the rules that the library inserts later, into its empty style elements, win over it as they would there. */
const LAYER = 'media-chrome';

function writeMarkup(root: ShadowRoot, html: string): void {
  const styles: string[] = [];
  const emptied = html
    .replace(NESTED_ROOT, '')
    .replace(
      /(<style[^>]*>)([\s\S]*?)(<\/style>)/g,
      (_all, open: string, css: string, close: string) => {
        // A style for another medium, such as a menu in a row, stays off.
        if (!open.includes('media=')) styles.push(css);
        return open + close;
      },
    );
  setInnerHtml(root, emptied);
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer ${LAYER} {${styles.join('\n')}}`);
  root.adoptedStyleSheets = [sheet];
}

/** Declarative roots: each nested element makes its own. */
const NESTED_ROOT = /<template shadowrootmode[\s\S]*?<\/template>/g;

type InnerHtml = (this: Element | ShadowRoot) => PropertyDescriptor;
const descriptorOf: InnerHtml = function () {
  const prototype = this instanceof ShadowRoot ? ShadowRoot.prototype : Element.prototype;
  return Object.getOwnPropertyDescriptor(prototype, 'innerHTML') ?? {};
};

function setInnerHtml(element: Element | ShadowRoot, html: string): void {
  descriptorOf.call(element).set?.call(element, trusted(html));
}

function readInnerHtml(element: Element | ShadowRoot): string {
  return String(descriptorOf.call(element).get?.call(element));
}

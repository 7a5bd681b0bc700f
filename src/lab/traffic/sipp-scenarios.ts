/** Payload type of PCMA (RFC 3551). */
const PCMA = 8;

const CALLER = 'From: caller <sip:caller@[local_ip]:[local_port]>;tag=[pid]C[call_number]';
const CALLEE = 'To: callee <sip:callee@[remote_ip]:[remote_port]>';
const VIA = 'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]';

function message(lines: readonly string[], body: readonly string[] = []): string {
  const head = [...lines, `Content-Length: ${body.length === 0 ? '0' : '[len]'}`];
  return ['    <![CDATA[', ...head, '', ...body, '    ]]>'].join('\n');
}

function description(who: string, port: string): string[] {
  return [
    'v=0',
    `o=${who} 1 1 IN IP[media_ip_type] [media_ip]`,
    's=-',
    'c=IN IP[media_ip_type] [media_ip]',
    't=0 0',
    `m=audio ${port} RTP/AVP ${PCMA}`,
    `a=rtpmap:${PCMA} PCMA/8000`,
  ];
}

function request(
  method: string,
  sequence: string,
  to: string,
  extra: readonly string[] = [],
): string[] {
  return [
    `${method} sip:callee@[remote_ip]:[remote_port] SIP/2.0`,
    VIA,
    CALLER,
    to,
    'Call-ID: [call_id]',
    `CSeq: ${sequence}`,
    'Max-Forwards: 70',
    ...extra,
  ];
}

/** An injection file (`-inf`): one port per line, used in turn. */
export function portLines(ports: readonly number[]): string {
  return ['SEQUENTIAL', ...ports.map((port) => `${port};`), ''].join('\n');
}

/** A call: INVITE, speech for `holdMs`, BYE. `audioFile` is raw PCMA, beside the scenario. */
export function callerScenario(audioFile: string, holdMs: number): string {
  const contact = [
    'Contact: <sip:caller@[local_ip]:[local_port]>',
    'Content-Type: application/sdp',
  ];
  const answered = `${CALLEE}[peer_tag_param]`;
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    '<scenario name="caller">',
    '  <send retrans="500" start_rtd="1">',
    message(
      request('INVITE', '1 INVITE', CALLEE, contact),
      description('caller', '[rtpstream_audio_port]'),
    ),
    '  </send>',
    '  <recv response="100" optional="true"/>',
    '  <recv response="200" rtd="1"/>',
    '  <send>',
    message(request('ACK', '1 ACK', answered)),
    '  </send>',
    `  <nop><action><exec rtp_stream="${audioFile},-1,${PCMA}"/></action></nop>`,
    `  <pause milliseconds="${holdMs}"/>`,
    '  <nop><action><exec rtp_stream="pause"/></action></nop>',
    '  <send retrans="500">',
    message(request('BYE', '2 BYE', answered)),
    '  </send>',
    '  <recv response="200"/>',
    '</scenario>',
    '',
  ].join('\n');
}

/** Accepts every call; its media go to the port in the next line of the injection file. */
export function calleeScenario(): string {
  const answer = (to: string): string[] => [
    'SIP/2.0 200 OK',
    '[last_Via:]',
    '[last_From:]',
    to,
    '[last_Call-ID:]',
    '[last_CSeq:]',
    'Contact: <sip:callee@[local_ip]:[local_port]>',
  ];
  const accept = [...answer('[last_To:];tag=[pid]S[call_number]'), 'Content-Type: application/sdp'];
  return [
    '<?xml version="1.0" encoding="UTF-8" ?>',
    '<scenario name="callee">',
    '  <recv request="INVITE"/>',
    '  <send retrans="500">',
    message(accept, description('callee', '[field0]')),
    '  </send>',
    '  <recv request="ACK"/>',
    '  <recv request="BYE"/>',
    '  <send>',
    message(answer('[last_To:]')),
    '  </send>',
    // Answers a retransmitted BYE.
    '  <timewait milliseconds="4000"/>',
    '</scenario>',
    '',
  ].join('\n');
}

// What the page shows, in the part of its address behind `#`, which is sent to nobody: JSON, deflated, in base64.
const MOST = 200_000;

const through = async (stream, most) => {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > most) {
      await reader.cancel();
      throw new Error("it is too long");
    }
    parts.push(next.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
};

// Throws where `read` would refuse it.
export const written = async (state) => {
  const blob = new Blob([JSON.stringify(state)]);
  if (blob.size > MOST) throw new Error("it is too long");
  const stream = blob.stream().pipeThrough(new CompressionStream("deflate-raw"));
  const packed = await through(stream, Infinity);
  let text = "";
  for (const byte of packed) text += String.fromCharCode(byte);
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};

// Throws where it is no such link.
export const read = async (text) => {
  const packed = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  const state = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(await through(stream, MOST)));
  if (typeof state !== "object" || state === null || typeof state.text !== "string") throw new Error("no state");
  return state;
};

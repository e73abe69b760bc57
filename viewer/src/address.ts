// What the address of a page may ask for behind its #: page.html#t=0.0873&magnify=10 opens at a time; with `scene` it shows the
// scene alone, for pictures.

export interface Address {
  scene: boolean;
  t?: number;
  magnify?: number;
}

export function readAddress(hash: string): Address {
  const words = new URLSearchParams(hash.replace(/^#/, ""));
  const number = (name: string) => {
    const value = Number(words.get(name));
    return words.has(name) && Number.isFinite(value) ? value : undefined;
  };
  return { scene: words.has("scene"), t: number("t"), magnify: number("magnify") };
}

/** Line icons, 16 by 16, drawn for this page. They are decoration: labels carry the meaning. */
import type { JSX } from "preact";

const paths = {
  run: "M4.5 2.8v10.4L13 8z",
  stop: "M4 4h8v8H4z",
  book: "M3 3.2h4.2c.5 0 .8.4.8.8v9c0-.6-.5-1-1-1H3zM13 3.2H8.800c-.5 0-.8.4-.8.8v9c0-.6.5-1 1-1h4z",
  link: "M6.500 9.500l3-3M7.200 4.800l1.500-1.500a2.800 2.800 0 0 1 4 4l-1.500 1.500M8.800 11.200l-1.500 1.500a2.800 2.800 0 0 1-4-4l1.500-1.500",
  command: "M2.500 4h11M2.500 8h7M2.500 12h9",
  sun: "M8 5.200a2.800 2.800 0 1 1 0 5.600a2.800 2.800 0 0 1 0-5.600M8 1v1.600M8 13.400V15M1 8h1.600M13.400 8H15M3 3l1.200 1.200M11.800 11.800L13 13M13 3l-1.200 1.200M4.200 11.800L3 13",
  moon: "M13.500 9.600A5.800 5.800 0 0 1 6.400 2.500a5.800 5.800 0 1 0 7.100 7.100z",
  auto: "M8 2a6 6 0 1 0 0 12a6 6 0 0 0 0-12zM8 2v12M8 5h4.500M8 8h6M8 11h4.500",
  help: "M5.800 6.200a2.200 2.200 0 1 1 3.200 2c-.7.400-1 .8-1 1.500M8 12.200v.3M8 1.500a6.500 6.500 0 1 1 0 13a6.500 6.500 0 0 1 0-13",
  format: "M2.500 3.500h11M5.500 6.500h8M5.500 9.500h5M2.500 12.500h11",
  values: "M2.500 3h11v10h-11zM2.500 6.300h11M2.500 9.700h11M6.200 3v10M9.800 3v10",
  layout:
    "M2.500 2.500h4.500v4.500H2.500zM9 2.500h4.500v4.500H9zM2.500 9h4.500v4.500H2.500zM9 9h4.500v4.500H9z",
  outline: "M2.500 3.500h11M5 8h8.500M5 12.500h8.500M2.500 8h.1M2.500 12.500h.1",
  ops: "M3 13V9M6.300 13V3M9.700 13V6.500M13 13V5",
  close: "M3.500 3.500l9 9M12.500 3.500l-9 9",
  down: "M4 6l4 4l4-4",
  pin: "M8 9.500V14M5 2.500h6M6 2.500v4l-2 3h8l-2-3v-4",
  target:
    "M8 1.500v3M8 11.500v3M1.500 8h3M11.500 8h3M8 4.500a3.500 3.500 0 1 0 0 7a3.500 3.500 0 0 0 0-7",
  save: "M8 2.500v7.500M4.800 7.200L8 10.400l3.200-3.200M2.500 13.500h11",
  copy: "M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3",
  file: "M4 1.800h5.500L12.500 5v9.200H4zM9.300 2v3.200h3.200",
  up: "M8 13V3.500M4 7.500l4-4l4 4",
  plus: "M8 3v10M3 8h10",
  minus: "M3 8h10",
  swap: "M2.500 5.500h10M9.500 2.500l3 3l-3 3M13.500 10.500h-10M6.500 7.500l-3 3l3 3",
  back: "M13 8H3.500M7.500 4l-4 4l4 4",
  film: "M2.500 3.500h11v9h-11zM5 3.500v9M11 3.500v9M2.500 6.500H5M2.500 9.500H5M11 6.500h2.500M11 9.500h2.500",
  graph:
    "M5.500 2.500h5v3h-5zM2 10.500h5v3H2zM9 10.500h5v3H9zM8 5.500v2.500M4.500 10.500V8h7v2.500",
  memory: "M3.500 5h9v6h-9zM5.500 5V3M8 5V3M10.500 5V3M5.500 11v2M8 11v2M10.500 11v2",
  compare:
    "M2 2.500h5v11H2zM9 2.500h5v11H9zM3.500 5.500h2M10.500 5.500h2M10.500 8h2M3.500 10.500h2",
  cost: "M2.500 2.500v11h11M4.500 10.500l4-4.500h5",
  profile: "M2.500 3h11v3h-11zM2.500 6h6v3.500h-6zM10 6h3.500v3.500H10zM4 9.500h3V13H4z",
  settings:
    "M2.500 4.500h6M11 4.500h2.500M2.500 11.500h2.500M7.500 11.500h6M8.500 3h2.500v3H8.500zM5 10h2.500v3H5z",
  next: "M3 8h9.500M8.500 4l4 4l-4 4",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }): JSX.Element {
  return (
    <svg class="icon" width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} class={name === "run" || name === "stop" ? "solid" : undefined} />
    </svg>
  );
}

/** A title without what does not tell it from others, which is read aloud all the same. */
import type { JSX } from "preact";
import type { TitlePart } from "../app/stages";
import "./stage-title.css";

export function StageTitle({ parts }: { parts: readonly TitlePart[] }): JSX.Element {
  return (
    <>
      {parts.map(({ text, hidden }, at) => (
        <span key={at} class={hidden ? "title-spare" : undefined}>
          {text}
        </span>
      ))}
    </>
  );
}

/** The exchanges of the run where there are several devices, and the program's shardings. */
import type { JSX } from "preact";
import type { App } from "../../app/app";
import { gridOf } from "../../app/device_inputs";
import { isProgramKind } from "../../app/state";
import { NoAnswerYet } from "../../page/NoAnswerYet";
import { words } from "../../strings";
import { programKey, useAnswer } from "../../ui/answer";
import "./devices.css";
import { RunDevices } from "./RunDevices";
import { Shardings } from "./Shardings";
import { deviceWords } from "./words";

export function DevicesView({ app }: { app: App }): JSX.Element {
  const { text, check, settings } = app.state;
  const answer = useAnswer(programKey(app), () =>
    app.engines.typing.call("shardings", [text.value, {}]),
  ).value;
  const grid = check.value ? gridOf(check.value, settings.value) : { replicas: 1, partitions: 1 };
  const isOne = grid.replicas * grid.partitions <= 1;
  if (isOne && (!answer || answer.rows.length === 0)) {
    const isProgram = isProgramKind(check.value?.kind);
    const sentence = isProgram ? deviceWords.oneDevice : words.devices.empty;
    return <NoAnswerYet app={app} sentence={sentence} isRefused={answer !== null} />;
  }
  return (
    <div class="column-view devices-view">
      {!isOne && <RunDevices app={app} grid={grid} />}
      {answer && answer.rows.length > 0 && <Shardings app={app} answer={answer} />}
    </div>
  );
}

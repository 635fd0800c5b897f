/** Lets a person choose the program that theirs is compared with. */
import type { App } from "../../app/app";
import { chooseProgram } from "../../app/choosing";
import { compareSession } from "./session";

export function chooseOther(app: App, then: () => void): void {
  chooseProgram(app, (other) => {
    compareSession(app).compareWith(other);
    then();
  });
}

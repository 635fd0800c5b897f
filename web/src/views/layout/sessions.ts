/** The sessions of the layout view: it keeps following the cursor while other views are shown. */
import { type App, perPage } from "../../app/app";
import { createCompared } from "./compare";
import { createFilm, type FilmSession } from "./film";
import { createSession, type LayoutSession } from "./session";

export interface LayoutSessions {
  session: LayoutSession;
  /** The session of the layout it is compared with. */
  compared: LayoutSession;
  film: FilmSession;
}

export const layoutSessions = perPage((): LayoutSessions => {
  const session = createSession();
  return { session, compared: createCompared(session), film: createFilm() };
});

export function startSessions(app: App): () => void {
  const { session, compared, film } = layoutSessions(app);
  const stops = [session.start(app), compared.start(app), film.start(app, session)];
  return () => {
    for (const stop of stops) stop();
  };
}

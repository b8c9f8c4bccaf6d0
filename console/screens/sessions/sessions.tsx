import { Route, Switch } from "wouter";
import { SessionList } from "./session-list.tsx";
import { SessionPage } from "./session-page.tsx";

/** All sessions, and one of them. */
export default function Sessions() {
  return (
    <Switch>
      <Route path="/sessions/:session">
        {({ session }) => <SessionPage key={session} id={decodeURIComponent(session)} />}
      </Route>
      <Route>
        <SessionList />
      </Route>
    </Switch>
  );
}

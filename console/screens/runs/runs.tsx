import { Route, Switch } from "wouter";
import { RunList } from "./run-list.tsx";
import { RunPage } from "./run-page.tsx";

/** All runs, and one of them. */
export default function Runs() {
  return (
    <Switch>
      <Route path="/runs/:kind/:component/:session/:run">
        {({ kind, component, session, run }) => (
          <RunPage
            key={`${session}/${run}`}
            kind={kindOf(kind)}
            component={decodeURIComponent(component)}
            session={decodeURIComponent(session)}
            run={decodeURIComponent(run)}
          />
        )}
      </Route>
      <Route>
        <RunList />
      </Route>
    </Switch>
  );
}

const kindOf = (text: string) => (text === "team" || text === "workflow" ? text : "agent");

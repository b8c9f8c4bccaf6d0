import { Route, Switch } from "wouter";
import { ComponentList } from "./component-list.tsx";
import { ComponentPage } from "./component-page.tsx";

/** All agents, teams and workflows, and one of them. */
export default function Components() {
  return (
    <Switch>
      <Route path="/components/:component">
        {({ component }) => <ComponentPage key={component} id={decodeURIComponent(component)} />}
      </Route>
      <Route>
        <ComponentList />
      </Route>
    </Switch>
  );
}

import { Route, Switch } from "wouter";
import { EvaluationList } from "./evaluation-list.tsx";
import { EvaluationPage } from "./evaluation-page.tsx";

/** All evaluations, and one of them. */
export default function Evaluations() {
  return (
    <Switch>
      <Route path="/evaluations/:evaluation">
        {({ evaluation }) => <EvaluationPage key={evaluation} id={decodeURIComponent(evaluation)} />}
      </Route>
      <Route>
        <EvaluationList />
      </Route>
    </Switch>
  );
}

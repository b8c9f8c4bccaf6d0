import { Route, Switch } from "wouter";
import { DatasetList } from "./datasets/dataset-list.tsx";
import { DatasetPage } from "./datasets/dataset-page.tsx";
import { EvaluationList } from "./evaluation-list.tsx";
import { EvaluationPage } from "./evaluation-page.tsx";

/** All evaluations, and one of them; all datasets, and one of them. */
export default function Evaluations() {
  return (
    <Switch>
      <Route path="/evaluations/datasets">
        <DatasetList />
      </Route>
      <Route path="/evaluations/datasets/:dataset">
        {({ dataset }) => <DatasetPage key={dataset} id={decodeURIComponent(dataset)} />}
      </Route>
      <Route path="/evaluations/:evaluation">
        {({ evaluation }) => <EvaluationPage key={evaluation} id={decodeURIComponent(evaluation)} />}
      </Route>
      <Route>
        <EvaluationList />
      </Route>
    </Switch>
  );
}

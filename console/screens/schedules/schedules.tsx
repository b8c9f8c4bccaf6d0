import { Route, Switch } from "wouter";
import { ScheduleList } from "./schedule-list.tsx";
import { SchedulePage } from "./schedule-page.tsx";

/** All schedules, and one of them. */
export default function Schedules() {
  return (
    <Switch>
      <Route path="/schedules/:schedule">
        {({ schedule }) => <SchedulePage key={schedule} id={decodeURIComponent(schedule)} />}
      </Route>
      <Route>
        <ScheduleList />
      </Route>
    </Switch>
  );
}

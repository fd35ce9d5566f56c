import { useText } from '../text';

/** Returns a function that words an action for people; an unknown one keeps its name in the service. */
export function useActionName(): (action: string) => string {
  const { activity } = useText();
  return (action) => {
    const [object = '', verb = ''] = action.split('.');
    const verbName = activity.verbs[verb];
    return verbName === undefined ? action : activity.done(activity.objects[object] ?? object, verbName);
  };
}

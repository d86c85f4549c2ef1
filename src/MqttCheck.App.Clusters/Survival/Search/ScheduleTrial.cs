namespace MqttCheck.App.Clusters.Survival.Search;

/// <summary>Makes a run of a schedule.</summary>
/// <param name="schedule">The schedule.</param>
/// <param name="run">The number of the run, which decides all random choices.</param>
/// <returns>Whether acknowledged messages were lost; null if the run was cut short.</returns>
internal delegate Task<bool?> ScheduleTrial(SearchSchedule schedule, int run);

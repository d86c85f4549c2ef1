using MqttCheck.Clusters.Properties.Histories;

namespace MqttCheck.App.Clusters.Survival;

/// <summary>The run of a table that lost most messages.</summary>
/// <param name="Row">Its fault.</param>
/// <param name="Number">Its number among the runs of that fault, from 1.</param>
/// <param name="History">The fates of its messages.</param>
internal sealed record WorstRun(SurvivalRow Row, int Number, RunHistory History);

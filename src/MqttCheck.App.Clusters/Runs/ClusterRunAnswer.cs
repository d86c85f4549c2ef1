using MqttCheck.Brokers.Processes;
using MqttCheck.LiveClusters.Verdicts;

namespace MqttCheck.App.Clusters.Runs;

/// <summary>The answer of live runs of a cluster.</summary>
/// <param name="Broker">The brokers of the cluster with their settings.</param>
internal sealed record ClusterRunAnswer(BrokerDescription Broker, ClusterVerificationResult Result);

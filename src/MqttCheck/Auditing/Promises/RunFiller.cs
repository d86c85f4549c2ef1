using MqttCheck.Clients;
using MqttCheck.Statistics;

namespace MqttCheck.Auditing.Promises;

/// <summary>Simulates the runs of one measurement: see <see cref="RunLaw.Runs"/>.</summary>
/// <param name="runs">Receives the runs in their order; all of it is filled.</param>
/// <param name="random">The source of randomness.</param>
internal delegate void RunFiller(Span<RunCount> runs, ref RandomStream random);

using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Roles.Scripts;
using MqttCheck.Conformance.Roles.Watching;
using MqttCheck.Protocol;

namespace MqttCheck.Conformance.Roles.Running;

/// <summary>A script that was played to a client, and the observations.</summary>
internal sealed record PlayedRun(
    BrokerScript Script,
    ProtocolVersion? Version,
    IReadOnlyList<TraceEntry> Trace,
    IReadOnlyList<Deviation> Deviations,
    IReadOnlyDictionary<Statement, int> Exercised,
    string Output
)
{
    /// <summary>Whether a client connected.</summary>
    public bool HasConnected => Version is not null;

    /// <summary>The run that a monitor watched.</summary>
    public static PlayedRun Of(BrokerScript script, ClientMonitor monitor, string output = "") =>
        new(script, monitor.Version, monitor.Trace, monitor.Deviations, monitor.Exercised, output);
}

using System.Diagnostics;
using System.Globalization;
using MqttCheck.Brokers.Processes;
using MqttCheck.Conformance.Checking;
using MqttCheck.Protocol;

namespace MqttCheck.Testing;

/// <summary>The result of a check against the MQTT standard.</summary>
public sealed class ConformanceResult
{
    internal ConformanceResult(
        IBrokerUnderTest broker,
        IReadOnlyList<ProtocolVersion> versions,
        ulong seed,
        CheckReport report
    ) => (Broker, Versions, Seed, Report) = (broker, versions, seed, report);

    /// <summary>The broker.</summary>
    public IBrokerUnderTest Broker { get; }

    /// <summary>The protocol versions that were checked.</summary>
    public IReadOnlyList<ProtocolVersion> Versions { get; }

    /// <summary>The seed of all scenarios.</summary>
    public ulong Seed { get; }

    /// <summary>The findings, and what was explored.</summary>
    public CheckReport Report { get; }

    /// <summary>The result in one line.</summary>
    public override string ToString() =>
        string.Create(
            CultureInfo.InvariantCulture,
            $"{Report.Findings.Count} findings on {Broker.Description.Name} in {Report.Scenarios} scenarios"
        );

    internal static string Name(ProtocolVersion version) =>
        version switch
        {
            ProtocolVersion.V31 => "3.1",
            ProtocolVersion.V311 => "3.1.1",
            ProtocolVersion.V5 => "5",
            _ => throw new UnreachableException(),
        };
}

using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Tests.Spoiled;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>A broker with one fault.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Class">Why it is tried; null for the right broker.</param>
/// <param name="Statements">The names of the statements under which a finding is right.</param>
/// <param name="Options">The options of the embedded broker.</param>
internal sealed record FaultyBroker(
    string Name,
    FaultClass? Class,
    IReadOnlyList<string> Statements,
    BrokerOptions Options
)
{
    /// <summary>Puts somebody before the broker who spoils what passes; null for nobody.</summary>
    public Func<IWire, IPEndPoint, IPEndPoint>? Through { get; init; }

    /// <summary>The broker without a fault.</summary>
    public static FaultyBroker Right { get; } = new("None", null, [], new BrokerOptions());

    /// <summary>All of them.</summary>
    public static IReadOnlyList<FaultyBroker> All { get; } =
    [
        .. MutantDescription.All.Select(mutant => new FaultyBroker(
            mutant.Mutant.ToString(),
            mutant.Class,
            mutant.Statements,
            new BrokerOptions { Mutant = mutant.Mutant, Limits = mutant.Limits }
        )),
        .. Spoilings.All.Select(spoiling => new FaultyBroker(
            spoiling.Name,
            LaterSpoilings.All.Contains(spoiling) ? FaultClass.Later : FaultClass.Spoiled,
            spoiling.Statements,
            new BrokerOptions()
        )
        {
            Through = spoiling.Through,
        }),
    ];
}

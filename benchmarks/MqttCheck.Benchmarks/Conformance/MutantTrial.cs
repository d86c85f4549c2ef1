using System.Net;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>One check of one faulty broker.</summary>
/// <param name="First">
/// The first finding that is neither one of configuration nor listed under another one; null for none.
/// </param>
/// <param name="Took">How long the first finding of all took, shrinking and confirming included.</param>
/// <param name="Findings">All findings, those that are listed under another one included.</param>
/// <param name="Suspicions">How many deviations did not come again.</param>
/// <param name="Commands">How many commands were run while exploring.</param>
/// <param name="Exploring">How long exploring took.</param>
internal sealed record MutantTrial(
    Finding? First,
    TimeSpan Took,
    IReadOnlyList<Finding> Findings,
    int Suspicions,
    long Commands,
    TimeSpan Exploring
)
{
    /// <summary>How many findings are not listed under another one.</summary>
    public int Causes => Findings.Count(finding => finding.ExplainedBy is null);

    /// <summary>Checks a broker.</summary>
    /// <param name="faulty">The broker.</param>
    /// <param name="seed">The seed of the scenarios.</param>
    /// <param name="options">How long, and over what.</param>
    public static async Task<MutantTrial> RunAsync(FaultyBroker faulty, ulong seed, MutantOptions options)
    {
        var broker = new EmbeddedBrokerOptions { Broker = faulty.Options };
        if (!options.IsLive)
        {
            // Somebody in between makes two ways of one.
            using var memory = WireFactory.CreateInMemory(options.Latency / (faulty.Through is null ? 1 : 2));
            var host = new BrokerHost(memory, broker);
            var address = host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)));
            return Explore(memory, faulty.Through?.Invoke(memory, address) ?? address, seed, options.Time);
        }
        await using var served = EmbeddedBroker.Start(broker);
        using var wire = WireFactory.Create(new WireOptions());
        return Explore(wire, faulty.Through?.Invoke(wire, served.Address) ?? served.Address, seed, options.Time);
    }

    private static MutantTrial Explore(IWire wire, IPEndPoint address, ulong seed, TimeSpan time)
    {
        var isFound = false;
        var (began, took) = (wire.NowNanoseconds, TimeSpan.Zero);
        var check = new ConformanceCheck(
            wire,
            new CheckTarget(address),
            "m",
            new CheckOptions
            {
                Seed = seed,
                Generator = new GeneratorOptions
                {
                    Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        )
        {
            Found = finding =>
            {
                if (isFound || finding.Statement.Class == StatementClass.Option)
                    return;
                isFound = true;
                took = TimeSpan.FromTicks((wire.NowNanoseconds - began) / TimeSpan.NanosecondsPerTick);
            },
        };
        var report = check.Explore(time, CancellationToken.None);
        var first = report.Findings.FirstOrDefault(finding =>
            finding.ExplainedBy is null && finding.Statement.Class != StatementClass.Option
        );
        return new MutantTrial(
            first,
            took,
            report.Findings,
            report.Suspicions.Count,
            report.Commands,
            report.Exploring
        );
    }
}

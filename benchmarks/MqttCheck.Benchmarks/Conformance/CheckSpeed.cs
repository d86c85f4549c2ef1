using System.Diagnostics;
using System.Globalization;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Findings;
using MqttCheck.Conformance.Generation;
using MqttCheck.Protocol;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// How fast a check explores a broker, and how soon it finds and shrinks each fault of the embedded one at a
/// probability of .2, one fault after the other. Exit code 1 when a bar is missed.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- check [BROKER [SECONDS]]</c>; the
/// broker is Mosquitto unless another is named.
/// </summary>
internal static class CheckSpeed
{
    private const double BarCommandsPerSecond = 2000;
    private const int BarCommands = 6;
    private const double Probability = .2;
    private static readonly TimeSpan BarFound = TimeSpan.FromSeconds(60),
        BarShrinking = TimeSpan.FromSeconds(10);

    public static async Task<int> RunAsync(string[] args)
    {
        var name = args.ElementAtOrDefault(0) ?? "mosquitto";
        var seconds = args.ElementAtOrDefault(1) is { } given ? double.Parse(given, CultureInfo.InvariantCulture) : 60;
        var good = await ExploreAsync(name, TimeSpan.FromSeconds(seconds));
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"embedded broker with each fault at {Probability}: s until found, "
                    + $"shrunk and confirmed (bar {BarFound.TotalSeconds}), s of shrinking "
                    + $"(bar {BarShrinking.TotalSeconds}), commands (bar {BarCommands})"
            )
        );
        foreach (var fault in FaultCatalogue.All.Where(fault => !fault.IsDisturbance))
            good &= await FindAsync(fault);
        return good ? 0 : 1;
    }

    // The speed is that of the whole time, with shrinking, confirming and waiting. Repetitions do not count.
    private static async Task<bool> ExploreAsync(string name, TimeSpan time)
    {
        await using var broker = await new BrokerLauncher(new BrokerLaunchOptions()).StartAsync(
            BrokerSpecification.Parse(name),
            CancellationToken.None
        );
        using var wire = WireFactory.Create(new WireOptions());
        var began = Stopwatch.GetTimestamp();
        var report = Check(wire, new CheckTarget(broker.Endpoint, broker.Credentials))
            .Explore(time, CancellationToken.None);
        var took = Stopwatch.GetElapsedTime(began).TotalSeconds;
        var rate = report.Commands / took;
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{name} {broker.Description.Version}: {rate:N0} checked commands/s "
                    + $"({report.Commands:N0} in {took:0.0} s, exploring in "
                    + $"{report.Exploring.TotalSeconds:0.0} of them, {report.Findings.Count} findings), "
                    + $"{rate / BarCommandsPerSecond:0.00} of the bar {BarCommandsPerSecond:N0}"
            )
        );
        return rate >= BarCommandsPerSecond;
    }

    private static async Task<bool> FindAsync(FaultDescription fault)
    {
        var faults = FaultPlan.Parse(
            string.Create(CultureInfo.InvariantCulture, $"{fault.Name}:{Probability}"),
            "benchmark"
        );
        await using var broker = EmbeddedBroker.Start(
            new EmbeddedBrokerOptions { Broker = new BrokerOptions { Faults = faults } }
        );
        using var wire = WireFactory.Create(new WireOptions());
        using var enough = new CancellationTokenSource();
        Finding? found = null;
        var began = Stopwatch.GetTimestamp();
        var took = TimeSpan.Zero;
        Check(
                wire,
                new CheckTarget(broker.Address),
                finding =>
                {
                    if (
                        finding.Id
                            != (finding.Scenario.Version == ProtocolVersion.V5 ? fault.Statement5 : fault.Statement311)
                        || found is not null
                    )
                        return;
                    (found, took) = (finding, Stopwatch.GetElapsedTime(began));
                    enough.Cancel();
                }
            )
            .Explore(BarFound, enough.Token);
        if (found is null)
        {
            Console.WriteLine($"{fault.Name, -20} not found");
            return false;
        }
        Console.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{fault.Name, -20} {took.TotalSeconds, 6:0.0} {found.Shrinking.TotalSeconds, 6:0.0} "
                    + $"{found.Scenario.Steps.Count, 3}  {found.Id}: {found.Scenario}"
            )
        );
        return took <= BarFound && found.Shrinking <= BarShrinking && found.Scenario.Steps.Count <= BarCommands;
    }

    private static ConformanceCheck Check(IWire wire, CheckTarget target, Action<Finding>? found = null) =>
        new(
            wire,
            target,
            "bench",
            new CheckOptions
            {
                Generator = new GeneratorOptions
                {
                    Versions = [ProtocolVersion.V311, ProtocolVersion.V5],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        )
        {
            Found = found,
        };
}

using System.Net;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// How often a check of the embedded broker without any fault judges each statement, over wires in memory.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- coverage [seconds=60] [seeds=1,2,3]
/// [latency-ms=3]</c>.
/// </summary>
internal static class CoverageTable
{
    public static int Run(string[] args)
    {
        var options = MutantOptions.Parse(args);
        var reports = options.Seeds.Select(seed => Explore(seed, options)).ToList();
        var rate = reports.Sum(report => report.Commands) / reports.Sum(report => report.Exploring.TotalSeconds);
        Console.WriteLine(
            Invariant($"{options.Time.TotalSeconds} s a check, seeds {string.Join(", ", options.Seeds)}, ")
                + Invariant($"{rate:0} commands/s while exploring, ")
                + Invariant($"{reports.Sum(report => report.Findings.Count)} findings, ")
                + Invariant($"{reports.Sum(report => report.Suspicions.Count)} seen once.\n")
        );
        Console.WriteLine("| statement | class | judged, one column a seed |\n|---|---|---|");
        foreach (var statement in Statements.All.Where(statement => statement.WhyNotExercised is null))
        {
            var judged = reports.Select(report => report.Exercised.GetValueOrDefault(statement));
            Console.WriteLine($"| {statement.Name} | {statement.Class} | {string.Join(", ", judged)} |");
        }
        foreach (var finding in reports.SelectMany(report => report.Findings))
            Console.WriteLine($"{finding.Id} {finding.Circumstances}: {finding.Scenario}");
        foreach (var suspicion in reports.SelectMany(report => report.Suspicions))
            Console.WriteLine($"seen once: {suspicion.Key}: {suspicion.Scenario}");
        return 0;
    }

    private static CheckReport Explore(ulong seed, MutantOptions options)
    {
        using var wire = WireFactory.CreateInMemory(options.Latency);
        var host = new BrokerHost(wire, new EmbeddedBrokerOptions());
        var address = host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)));
        var check = new ConformanceCheck(
            wire,
            new CheckTarget(address),
            "c",
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
        );
        return check.Explore(options.Time, CancellationToken.None);
    }
}

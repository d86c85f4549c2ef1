using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using MqttCheck.Broker.Core;
using MqttCheck.Broker.Faults;
using MqttCheck.Brokers.Embedded;
using MqttCheck.Brokers.Wire;
using MqttCheck.Conformance;
using MqttCheck.Conformance.Checking;
using MqttCheck.Conformance.Generation;
using MqttCheck.Conformance.Model;
using MqttCheck.Conformance.Tests.Checking;
using MqttCheck.Protocol;
using static System.FormattableString;

namespace MqttCheck.Benchmarks.Conformance;

/// <summary>
/// Checks of brokers that are right although they are small or unusual, in the time of wires in memory: what is found
/// there is an error of the check.
/// Usage: <c>dotnet run -c Release --project benchmarks/MqttCheck.Benchmarks -- legal [minutes=60] [seed=1] [rate=250]
/// [jobs=2] [only=NAME,NAME]</c>. The rate limits the commands a second: an hour of 250 a second takes a minute.
/// </summary>
internal static class LegalTable
{
    public static async Task<int> RunAsync(string[] args)
    {
        var values = args.Select(arg => arg.Split('=', 2)).ToDictionary(pair => pair[0], pair => pair[1]);
        var minutes = double.Parse(values.GetValueOrDefault("minutes", "60"), CultureInfo.InvariantCulture);
        var seed = ulong.Parse(values.GetValueOrDefault("seed", "1"), CultureInfo.InvariantCulture);
        var rate = int.Parse(values.GetValueOrDefault("rate", "250"), CultureInfo.InvariantCulture);
        var jobs = int.Parse(values.GetValueOrDefault("jobs", "2"), CultureInfo.InvariantCulture);
        var only = values.GetValueOrDefault("only")?.Split(',');
        LegalVariant[] variants = [.. LegalVariant.All.Where(variant => only?.Contains(variant.Name) != false)];
        var reports = new ConcurrentDictionary<LegalVariant, CheckReport>();
        await Parallel
            .ForEachAsync(
                variants,
                new ParallelOptions { MaxDegreeOfParallelism = jobs },
                async (variant, _) =>
                {
                    reports[variant] = Explore(variant, TimeSpan.FromMinutes(minutes), seed, rate);
                    await Console.Error.WriteAsync('.').ConfigureAwait(false);
                }
            )
            .ConfigureAwait(false);
        await Console.Error.WriteLineAsync().ConfigureAwait(false);
        Console.WriteLine(Invariant($"{minutes} min each of wires in memory, seed {seed}, {rate} commands/s.\n"));
        Console.WriteLine("| variant | scenarios | commands | MUST | SHOULD | seen and not confirmed |");
        Console.WriteLine("|---|---|---|---|---|---|");
        foreach (var variant in variants)
        {
            var report = reports[variant];
            Console.WriteLine(
                Invariant($"| {variant} | {report.Scenarios} | {report.Commands} | ")
                    + Invariant($"{Count(report, StatementClass.Must)} | {Count(report, StatementClass.Should)} | ")
                    + Invariant($"{report.Suspicions.Count(suspicion => !suspicion.Deviation.MustRecur)} |")
            );
        }
        foreach (var variant in variants)
            List(variant, reports[variant]);
        return reports.Values.Any(report => Count(report, StatementClass.Must) > 0) ? 1 : 0;
    }

    private static int Count(CheckReport report, StatementClass ofClass) =>
        report.Findings.Count(finding => finding.Statement.Class == ofClass);

    private static void List(LegalVariant variant, CheckReport report)
    {
        foreach (var finding in report.Findings.Where(finding => finding.Statement.Class != StatementClass.Option))
            Console.WriteLine(
                $"\n{variant}: {finding.Key}, {finding.Repeated}\n  {finding.Scenario.Version}: {finding.Scenario}"
                    + $"\n  {finding.Deviation.Explanation}"
            );
        foreach (var suspicion in report.Suspicions.Where(suspicion => !suspicion.Deviation.MustRecur))
            Console.WriteLine(
                $"\n{variant}: {suspicion.Key}, {suspicion.Repeated}\n  {suspicion.Scenario.Version}: "
                    + $"{suspicion.Scenario}\n  {suspicion.Deviation.Explanation}"
            );
    }

    private static CheckReport Explore(LegalVariant variant, TimeSpan time, ulong seed, int rate)
    {
        using var memory = WireFactory.CreateInMemory(TimeSpan.FromMilliseconds(3));
        var host = new BrokerHost(
            memory,
            new EmbeddedBrokerOptions
            {
                Broker = new BrokerOptions
                {
                    Limits = variant.Limits ?? new BrokerLimits(),
                    Habits = variant.Habits,
                    Faults = FaultPlan.Parse(variant.Faults, variant.Name),
                    Seed = seed,
                },
            }
        );
        var check = new ConformanceCheck(
            memory,
            new CheckTarget(host.Listen(new WireListener(new IPEndPoint(IPAddress.Loopback, 0)))),
            "l",
            new CheckOptions
            {
                Seed = seed,
                MaximumCommandsPerSecond = rate,
                Generator = new GeneratorOptions
                {
                    Versions = [.. variant.Versions],
                    Defects311 = MalformedPackets.Names(ProtocolVersion.V311),
                    Defects5 = MalformedPackets.Names(ProtocolVersion.V5),
                },
            }
        );
        return check.Explore(time, CancellationToken.None);
    }
}

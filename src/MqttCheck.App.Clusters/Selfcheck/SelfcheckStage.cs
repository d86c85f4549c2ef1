using MqttCheck.App.Progress;
using MqttCheck.Broker.Delays;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Fleets.Machine;
using MqttCheck.Brokers.Fleets.Probes;
using MqttCheck.Brokers.Processes;
using MqttCheck.LiveClusters.Links;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using static System.FormattableString;

namespace MqttCheck.App.Clusters.Selfcheck;

/// <summary>
/// Measures the tool's own error: against brokers whose delays are known, and against a packet capture of the same
/// exchanges.
/// </summary>
internal sealed class SelfcheckStage(Workplace place, SelfcheckRequest request)
{
    private const double Rate = 250;
    private const int Messages = 1000;
    private const double StallSeconds = 1;

    // The embedded broker's own timers add to each delay, so a quantile may differ by this much. A quantile above .97
    // may differ by more.
    private const double BoundMilliseconds = 0.2,
        TailBoundMilliseconds = 1;
    private const double CountBound = 5;

    private readonly List<SelfcheckRow> _rows = [];

    /// <summary>Runs the checks; after an interruption, those until then.</summary>
    public async Task<IReadOnlyList<SelfcheckRow>> RunAsync()
    {
        SystemLimits.Require(request.Clients);
        place.Progress.Note("the embedded broker, in a process of its own, with delays that are known");
        var idle = Sorted(await ProbeAsync("none"));
        place.Progress.Note(
            Invariant($"without a delay: p50 {WireErrors.Quantile(idle, 0.5) * 1e3:0} ")
                + Invariant($"us, p99 {WireErrors.Quantile(idle, 0.99) * 1e3:0} us of ")
                + Invariant($"{idle.Count} messages; it is part of the truth below")
        );
        var link = await LinkOverhead.MeasureAsync(Messages, law: null, place.Orderly);
        var median = link.LinkMedianMicroseconds - link.DirectMedianMicroseconds;
        var p99 = link.LinkP99Microseconds - link.DirectP99Microseconds;
        place.Progress.Note(
            Invariant($"an idle link of a cluster adds to a round trip: p50 {median:0} us, p99 {p99:0} us")
        );
        try
        {
            await LawAsync("constant 5 ms", "constant:5ms", idle, [0.1, 0.5, 0.9, 0.99]);
            await LawAsync(
                "80 % 2 ms, 20 % 12 ms",
                "mixture:0.8*constant:2ms+0.2*constant:12ms",
                idle,
                [0.1, 0.5, 0.7, 0.9, 0.95]
            );
            await StallAsync();
            await CaptureAsync();
        }
        catch (OperationCanceledException) when (_rows.Count > 0)
        {
            // The checks until then are an answer.
        }
        return _rows;
    }

    private async Task LawAsync(string name, string text, IReadOnlyList<double> idle, double[] shares)
    {
        var values = SelfcheckTruth.Values(LawText.Parse(text, "selfcheck"));
        var measured = Sorted(await ProbeAsync($"puback={text}"));
        foreach (var share in shares)
        {
            _rows.Add(
                new(
                    Invariant($"delay {name}: p{share * 100:0.##} of the latency"),
                    WireErrors.Quantile(measured, share),
                    SelfcheckTruth.Quantile(values, idle, share),
                    share > 0.97 ? TailBoundMilliseconds : BoundMilliseconds,
                    "ms"
                )
            );
        }
    }

    // In an open loop a stall of S seconds shows in every message that was due in it: those due s seconds before its
    // end wait s seconds.
    private async Task StallAsync()
    {
        // The plan counts from the broker's start; the rehearsal begins after it, so the stall comes while messages are
        // measured.
        var samples = await ProbeAsync(Invariant($"stall={StallSeconds}s@4s"), messages: (int)(8 * Rate));
        foreach (var share in (double[])[0.1, 0.25, 0.5, 0.75, 0.9])
        {
            var above = share * StallSeconds;
            _rows.Add(
                new(
                    Invariant($"stall of {StallSeconds:0.#} s, {Rate} messages/s: messages above {above * 1e3:0} ms"),
                    samples.Count(sample => !(sample.LatencyMilliseconds <= above * 1e3)),
                    SelfcheckTruth.Above(Rate, StallSeconds, above),
                    CountBound,
                    "messages"
                )
            );
        }
    }

    private async Task<IReadOnlyList<ProbeSample>> ProbeAsync(string plan, int messages = Messages)
    {
        await using var broker = await StartEmbeddedAsync(plan);
        return await Task.Run(() =>
            new OpenLoopProbe
            {
                Endpoint = broker.Endpoint,
                Prefix = FleetSetup.NewPrefix(),
                Rate = Rate,
                Messages = messages,
            }.Run(place.Orderly)
        );
    }

    private Task<IBrokerUnderTest> StartEmbeddedAsync(string plan) =>
        new BrokerLauncher(new() { Hosted = request.Hosted(DelayPlan.Parse(plan, "selfcheck")) }).StartAsync(
            BrokerSpecification.Parse("embedded"),
            place.Orderly
        );

    private async Task CaptureAsync()
    {
        await using var broker = request.Broker is { } choice
            ? await new BrokerLauncher(new() { Hosted = request.Hosted(DelayPlan.None) }).StartAsync(
                choice,
                place.Orderly
            )
            : await StartEmbeddedAsync("none");
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, place.Orderly);
        if (capture is null)
        {
            place.Progress.Note($"not compared with the wire: {reason}");
            return;
        }
        await using (capture)
        {
            place.Progress.Note(
                $"{broker.Description.Name}: {request.Clients} clients of up1 for "
                    + $"{request.Duration.TotalSeconds:0.#} s, and the same exchanges on the wire"
            );
            var errors = await MeasureAsync(broker, capture);
            if (errors.Unmatched > 0)
                place.Progress.Warn(
                    Invariant($"{errors.Unmatched} messages were not compared: ")
                        + "the capture does not have all of their clients."
                );
            var bounds = request.Audit ? SelfcheckBounds.Audit : SelfcheckBounds.KernelArrival;
            Row(
                $"latency, tool minus wire, of {errors.Latency.Count} messages",
                WireErrors.AbsoluteQuantile(errors.Latency, 0.5),
                bounds.MedianMicroseconds,
                "p50"
            );
            Row(
                "latency, tool minus wire",
                WireErrors.AbsoluteQuantile(errors.Latency, 0.99),
                bounds.P99Microseconds,
                "p99"
            );
            Row(
                "sending, wire minus plan",
                WireErrors.Quantile(errors.Lateness, 0.5),
                bounds.LatenessMicroseconds,
                "p50"
            );
            Row(
                "sending, wire minus plan",
                WireErrors.Quantile(errors.Lateness, 0.99),
                bounds.LatenessMicroseconds,
                "p99"
            );
        }

        void Row(string what, double value, double bound, string quantile) =>
            _rows.Add(new($"{what}: {quantile}", value, null, bound, "us"));
    }

    private async Task<WireErrors> MeasureAsync(IBrokerUnderTest broker, PacketCapture capture)
    {
        var population = ProfileFile.Read("up1");
        var setup = FleetSetup.For(broker, population, request.Clients, FleetSetup.NewPrefix()) with
        {
            Duration = request.Duration,
            Seed = request.Seed,
            KernelSendStamps = request.Audit,
        };
        var log = new ExchangeCollector();
        var result = await Task.Run(() => new FleetRun(setup, log).Run(place.Orderly, place.AtOnce));
        var start = result.StartNanoseconds + WallClock.OffsetNanoseconds(place.Time);
        foreach (var finding in result.Health.Findings)
            place.Progress.Note(finding.Text);
        var segments = await capture.StopAsync();
        return WireErrors.Compare(log.Exchanges, CapturedExchanges.Find(segments, broker.Address.Port, setup), start);
    }

    private static List<double> Sorted(IReadOnlyList<ProbeSample> samples) =>
        [.. samples.Select(sample => sample.ServiceMilliseconds).Where(value => !double.IsNaN(value)).Order()];

    private sealed class ExchangeCollector : IExchangeSink
    {
        public List<Exchange> Exchanges { get; } = [];

        public void Append(in Exchange exchange) => Exchanges.Add(exchange);
    }
}

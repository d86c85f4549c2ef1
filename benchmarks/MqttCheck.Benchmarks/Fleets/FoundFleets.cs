using System.Globalization;
using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Processes;
using MqttCheck.Latency.Files;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Benchmarks.Fleets;

/// <summary>
/// <c>found-fleets RUNS MODEL PROFILE PORT [MODEL PROFILE PORT ...]</c>: twice as many clients as a profile has, live
/// on the broker of a port, against what the model predicts of them. Exit code 1 when more than one run in ten lies
/// outside of the predicted interval of one run.
/// </summary>
internal static class FoundFleets
{
    private const double Times = 2;
    private const double Level = .95;

    // Below half a millisecond the operating system is measured rather than the broker.
    private static readonly double[] s_thresholds = [.5, 1, 2, 5, 20, 45];

    public static int Run(string[] arguments)
    {
        var runs = int.Parse(arguments[0], CultureInfo.InvariantCulture);
        var fleets = arguments.Skip(1).Chunk(3).Select(one => new Fleet(one[0], one[1], one[2])).ToList();
        foreach (var fleet in fleets)
            fleet.Predict();
        // In turns, so that a disturbance of the machine falls on all alike.
        for (var run = 0; run < runs; run++)
            fleets.ForEach(fleet => fleet.Run());
        return fleets.Select(fleet => fleet.Conclude()).ToList().TrueForAll(isHeld => isHeld) ? 0 : 1;
    }

    private sealed class Nowhere : IExchangeSink
    {
        public void Append(in Exchange exchange) { }
    }

    private sealed class Fleet(string model, string profile, string port)
    {
        private readonly Population _population = ProfileFile.Read(profile);
        private readonly List<double[]> _runs = [];
        private Forecast? _forecast;
        private int _spoiled;

        private int Clients => (int)Math.Round(Times * _population.Groups.Sum(group => group.Share));

        public void Predict() =>
            _forecast = Forecast.Of(
                LatencyModelFile.Read(model),
                _population,
                Clients,
                new()
                {
                    Confidence = Level,
                    PilotSequences = 0,
                    Beyond = true,
                }
            );

        public void Run()
        {
            var broker = new BrokerLauncher(new())
                .StartAsync(BrokerSpecification.Parse($"mqtt://127.0.0.1:{port}"), CancellationToken.None)
                .GetAwaiter()
                .GetResult();
            var options = new CampaignOptions { Seed = 55 + (ulong)_runs.Count, Prefix = FleetSetup.NewPrefix() };
            var result = new CampaignRunner(broker, options, new Nowhere(), TimeProvider.System).Run(
                _runs.Count,
                RunPurpose.Verify,
                _population,
                Clients,
                1,
                null,
                null,
                CancellationToken.None,
                CancellationToken.None
            );
            _runs.Add(Calibration.Worst(result));
            _spoiled += RunJudgement.UseOf(result).Counts() ? 0 : 1;
        }

        public bool Conclude()
        {
            var name = Path.GetFileNameWithoutExtension(model);
            Console.WriteLine(
                $"{name}: {Clients} clients, {_runs.Count} runs of {_runs.Average(run => run.Length):0} sequences, "
                    + $"{_spoiled} with a late generator"
            );
            foreach (var note in _forecast!.Notes)
                Console.WriteLine($"   {note}");
            var isHeld = true;
            foreach (var threshold in s_thresholds)
            {
                var interval = _forecast.RunInterval(threshold);
                var shares = _runs.Select(run => run.Count(worst => worst < threshold) / (double)run.Length).ToList();
                var inside = shares.Count(interval.Contains);
                isHeld &= inside >= .9 * _runs.Count;
                Console.WriteLine(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"   {threshold:0.###} ms: predicted {_forecast.Point(threshold).Probability:0.000}, a run in "
                            + $"{interval.Lower:0.000} to {interval.Upper:0.000}, mean of the runs "
                            + $"{shares.Average():0.000}: {inside} of {_runs.Count} inside"
                    )
                );
            }
            return isHeld;
        }
    }
}

using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Brokers.Fleets;
using MqttCheck.Brokers.Fleets.Captures;
using MqttCheck.Brokers.Processes;
using MqttCheck.Captures.Logs;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Protocol;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Captures.Tests.Logs;

/// <summary>
/// A model of the packets predicts as well as one of the fleet's own log. Both learn from the same minute of up1 and
/// up2 on Mosquitto, and predict the same later runs. Seed 55 and the numbers after it.
/// </summary>
[TestFixture]
[Explicit("three minutes on an idle machine")]
internal sealed class OwnLogErrorTests : DirectoryFixture
{
    private const double LargestRatio = 1.2;
    private const int Runs = 4;
    private const int SequencesPerClient = 2;
    private static readonly int[] s_trained = [50, 64, 78, 92, 106, 120];
    private static readonly int[] s_heldOut = [60, 85, 110];
    private static readonly TimeSpan s_case = TimeSpan.FromSeconds(5);
    private static readonly Population[] s_profiles = [ProfileFile.Read("up1"), ProfileFile.Read("up2")];

    [TestCase(55UL)]
    [TestCase(56UL)]
    [TestCase(57UL)]
    [Platform("Linux")]
    public async Task The_error_is_at_most_a_fifth_larger_than_with_the_own_log(ulong seed)
    {
        Missing.Require("mosquitto", "apt-get install mosquitto");
        await using var broker = await new BrokerLauncher(new()).StartAsync(
            BrokerSpecification.Parse("mosquitto"),
            CancellationToken.None
        );
        // A capture slows the broker a little, so the runs to predict are captured too.
        List<MeasuredSetup> measured = [];
        if (
            !await CapturedAsync(broker, "own", () => Train(broker, In("own.csv"), seed))
            || !await CapturedAsync(broker, "later", () => measured = Measure(broker, seed))
        )
            return;

        var own = Table("own log", ExchangeLogReader.Read(In("own.csv")), measured, seed);
        var captured = Table("capture", Turned.OfFile(In("own.pcapng"), Folder).Log, measured, seed);

        Assert.That(own.Points, Has.Count.GreaterThanOrEqualTo(20));
        Assert.That(captured.MeanError, Is.LessThanOrEqualTo(LargestRatio * own.MeanError));
    }

    private async Task<bool> CapturedAsync(IBrokerUnderTest broker, string name, Action runs)
    {
        var (capture, reason) = await PacketCapture.TryStartAsync(broker.Address, CancellationToken.None);
        if (capture is null)
        {
            Missing.Report(reason);
            return false;
        }
        await using (capture)
        {
            runs();
            await capture.StopAsync();
            File.Copy(capture.FilePath, In($"{name}.pcapng"));
        }
        return true;
    }

    private static CampaignOptions Options(ulong seed) => new() { Seed = seed, Prefix = FleetSetup.NewPrefix() };

    private static void Train(IBrokerUnderTest broker, string path, ulong seed)
    {
        var options = Options(seed);
        using var log = new ExchangeLogWriter(path);
        var runner = new CampaignRunner(broker, options, log, TimeProvider.System);
        foreach (var clients in s_trained)
        foreach (var population in s_profiles)
            Run(runner, RunPurpose.Explore, population, clients, null, s_case);
        log.Dispose();
        var information = new RunInformation
        {
            ToolVersion = "1.2.3",
            Seed = seed,
            Started = runner.Cases[0].Started!.Value,
            Broker = broker.Description.Logged(ProtocolVersion.V311, options.Client),
            Machine = MachineInformation.Current(),
            TopicPrefix = broker.TopicPrefix + options.Prefix,
            Cases = runner.Cases,
            Complete = true,
        };
        RunInformationFile.Write(path, information);
        TestContext.Out.WriteLine(Health(runner));
    }

    private List<MeasuredSetup> Measure(IBrokerUnderTest broker, ulong seed)
    {
        using var log = new ExchangeLogWriter(In("later.csv"));
        var runner = new CampaignRunner(broker, Options(seed + 1000), log, TimeProvider.System);
        var measured = s_profiles
            .SelectMany(population =>
                s_heldOut.Select(clients =>
                    (Setup: new CalibrationSetup(population, clients, SequencesPerClient), Worst: new List<double[]>())
                )
            )
            .ToList();
        for (var turn = 0; turn < Runs; turn++)
            foreach (var (setup, worst) in measured)
            {
                var run = Run(runner, RunPurpose.Verify, setup.Population, setup.Clients, SequencesPerClient, null);
                if (RunJudgement.UseOf(run).Counts())
                    worst.Add(Calibration.Worst(run));
            }
        TestContext.Out.WriteLine(Health(runner));
        return [.. measured.Select(one => new MeasuredSetup(one.Setup, one.Worst))];
    }

    private static FleetRunResult Run(
        CampaignRunner runner,
        RunPurpose purpose,
        Population population,
        int clients,
        int? sequences,
        TimeSpan? duration
    ) =>
        runner.Run(
            runner.Cases.Count,
            purpose,
            population,
            clients,
            sequences,
            duration,
            null,
            CancellationToken.None,
            CancellationToken.None
        );

    private static string Health(CampaignRunner runner) =>
        FormattableString.Invariant(
            $"{runner.Results.Count(run => run.Health.IsValid)} of {runner.Results.Count} runs valid, "
        ) + FormattableString.Invariant($"processor stolen {runner.Results.Average(run => run.Health.StolenShare):P1}");

    private static CalibrationTable Table(string name, ExchangeLog log, List<MeasuredSetup> measured, ulong seed)
    {
        var model = LatencyLearning.Learn([log], LearnerCatalogue.Default, seed);
        var table = CalibrationTable.Of(
            name,
            measured,
            setup =>
                Forecast.Of(
                    model,
                    setup.Population,
                    setup.Clients,
                    new()
                    {
                        Seed = seed,
                        SequencesPerClient = setup.SequencesPerClient,
                        PilotSequences = 0,
                        Replications = 200,
                    },
                    CancellationToken.None
                ),
            CalibrationTable.DefaultThresholds,
            .95
        );
        var quiet = table.WithNoiseFloorUpTo(CalibrationTable.QuietNoiseFloor);
        TestContext.Out.WriteLine(
            FormattableString.Invariant($"{name}: {log.Exchanges.Length} exchanges, {model.Model.Kind}, ")
                + FormattableString.Invariant($"{quiet.Points.Count} of {table.Points.Count} points are quiet: ")
                + FormattableString.Invariant($"mean error {quiet.MeanError:0.0000}, bias {quiet.Bias:+0.0000;-0.0000}")
                + FormattableString.Invariant($"; at all points {table.MeanError:0.0000}")
        );
        return quiet;
    }
}

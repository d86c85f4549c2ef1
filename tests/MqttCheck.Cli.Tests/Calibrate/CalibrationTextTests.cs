using MqttCheck.Brokers.Campaigns;
using MqttCheck.Brokers.Campaigns.Calibrations;
using MqttCheck.Cli.Calibrate;
using MqttCheck.Latency;
using MqttCheck.Latency.Models;
using MqttCheck.Logs;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Cli.Tests.Calibrate;

public sealed class CalibrationTextTests
{
    // Two runs of ten sequences, of which 5 and 9 take less than 10 ms: .7.
    private static readonly MeasuredSetup Measured = new(
        new(ProfileFile.Read("up1"), 3, 1),
        [
            [1, 2, 3, 4, 5, 12, 13, 14, 15, 16],
            [1, 2, 3, 4, 5, 6, 7, 8, 9, 16],
        ]
    );

    [Test]
    public void Several_learners_stand_side_by_side_at_each_point()
    {
        LearnedModel[] models = [Model(5), Model(50)];
        var lines = Print([Table("fast", models[0]), Table("slow", models[1])], models);
        var at = Array.FindIndex(lines, line => line.StartsWith("error ", StringComparison.Ordinal));
        Assert.That(
            lines[at + 1].Split(' ', StringSplitOptions.RemoveEmptyEntries),
            Is.EqualTo(new[] { "profile", "clients", "threshold", "measured", "noise", "floor", "fast", "slow" })
        );
        Assert.That(
            lines[at + 3].Split(' ', StringSplitOptions.RemoveEmptyEntries),
            Is.EqualTo(new[] { "up1", "3", "10", "ms", "0.700", "0.400", "+0.300", "-0.700" })
        );
        Assert.That(lines, Has.Some.StartsWith("learner fast:"));
    }

    [Test]
    public void One_learner_needs_no_comparison()
    {
        var model = Model(5);
        Assert.That(Print([Table("fast", model)], [model]), Has.None.StartsWith("error ").And.Some.StartsWith("fast "));
    }

    private static string[] Print(CalibrationTable[] tables, LearnedModel[] models)
    {
        var screen = new TestScreen();
        CalibrationText.Print(screen.Screen, tables, models);
        return screen.Output.Split('\n');
    }

    private static LearnedModel Model(double milliseconds) =>
        new()
        {
            Model = new LawLatencyModel(new ConstantLaw(milliseconds)),
            Broker = LoggedBroker.Unknown,
            Machine = MachineInformation.Unknown,
            Training = new()
            {
                Cases = 1,
                ExchangesByKind = [1, 1, 1, 1, 1],
                FailedExchanges = 0,
                LogSha256 = [],
                Seed = 1,
            },
            Ranges = new(100, 100, 100, 1000),
        };

    private static CalibrationTable Table(string learner, LearnedModel model) =>
        CalibrationTable.Of(
            learner,
            [Measured],
            asked =>
                Forecast.Of(
                    model,
                    asked.Population,
                    asked.Clients,
                    new()
                    {
                        Replications = 100,
                        Confidence = .95,
                        PilotSequences = 0,
                    }
                ),
            [10],
            .95
        );
}

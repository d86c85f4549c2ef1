using System.Globalization;
using MqttCheck.App.Predict;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;

namespace MqttCheck.Cli.Tests.Predict;

/// <summary>The progress of a prediction: its share and its words say the same.</summary>
[TestFixture]
internal sealed class PredictProgressTests
{
    [Test]
    public void The_share_is_that_of_the_replications_of_all_setups_that_are_counted()
    {
        var reports = new List<(double Share, string Words)>();
        _ = PredictStage.Predict(
            LatencyModelFile.Read(RepositoryFiles.Model),
            new(
                RepositoryFiles.Model,
                [new(ProfileFile.Read("up1"), [2, 3])],
                [20],
                new() { Replications = 40, PilotSequences = 60 }
            ),
            (share, words) => reports.Add((share, words)),
            CancellationToken.None
        );
        Assert.That(reports.Select(report => report.Share), Is.Ordered.Ascending);
        Assert.That((reports[0].Share, reports[^1].Share), Is.EqualTo((0.0, 1.0)));
        foreach (var (share, words) in reports)
        {
            var numbers = words.Split(", ")[^1].Split(' ');
            var (done, all) = (Number(numbers[0]), Number(numbers[2]));
            Assert.That(share, Is.EqualTo(done / all), words);
        }
        Assert.That(reports[^1].Words, Does.StartWith("up1, 3 clients, "));
    }

    private static double Number(string text) => double.Parse(text, CultureInfo.InvariantCulture);
}

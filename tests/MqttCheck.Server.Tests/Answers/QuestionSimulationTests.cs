using System.Text;
using MqttCheck.Cli.Predict;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Questions;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Answers;

/// <summary>What the page says is what the command says.</summary>
[TestFixture]
internal sealed class QuestionSimulationTests
{
    [Test]
    public void The_last_answer_is_that_of_the_command_to_the_bit()
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        var question = new QuestionReader(models).Read(
            Encoding.UTF8.GetBytes(TestServer.Question(clients: 12, threshold: 20.3, copies: 2))
        );
        var answers = new List<Answer>();
        new QuestionSimulation(
            question,
            null,
            (_, value) =>
            {
                if (value is Answer answer)
                    answers.Add(answer);
            }
        ).Run(CancellationToken.None);
        Assert.That(answers.Select(answer => answer.Replications), Is.EqualTo([16, 120, 1060]));
        Assert.That(answers.Select(answer => answer.IsFinal), Is.EqualTo([false, false, true]));

        // As PredictCommand calls it.
        var command = PredictStage.Predict(
            LatencyModelFile.Read(RepositoryFiles.Model),
            RepositoryFiles.Model,
            [new(ProfileFile.Read("up1"), [12])],
            [TimeSpan.FromMilliseconds(20.3).TotalMilliseconds],
            new() { Seed = SeedPurpose.Predict.Seed(1), Replications = 1060 },
            (_, _) => { },
            CancellationToken.None
        );
        var (shown, printed) = (answers[^1].Scenarios[0], command.Points.Single());
        Assert.That(
            (shown.Probability, shown.Lower, shown.Upper, shown.Level),
            Is.EqualTo((printed.Probability, printed.Interval.Lower, printed.Interval.Upper, command.Level))
        );
        Assert.That(
            answers[^1].Differences.Single(),
            Is.EqualTo(
                new ScenarioDifference(
                    1,
                    0,
                    answers[^1].Differences[0].Lower,
                    answers[^1].Differences[0].Upper,
                    "no difference is shown"
                )
            )
        );
    }
}

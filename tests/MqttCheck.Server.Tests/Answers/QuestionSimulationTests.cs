using System.Text;
using MqttCheck.App.Predict;
using MqttCheck.Cli.Predict;
using MqttCheck.Latency.Files;
using MqttCheck.Profiles;
using MqttCheck.Server.Answers;
using MqttCheck.Server.Hosting;
using MqttCheck.Server.Questions;
using MqttCheck.Shards;
using MqttCheck.Simulation;
using MqttCheck.Statistics;

namespace MqttCheck.Server.Tests.Answers;

/// <summary>What the page says is what the command says.</summary>
[TestFixture]
internal sealed class QuestionSimulationTests
{
    [Test]
    [Category("Whole")]
    public void The_last_answer_is_that_of_the_command_to_the_bit()
    {
        var answers = Events(null).Select(one => one.Value).OfType<Answer>().ToList();
        Assert.That(
            (answers.Select(answer => answer.Replications), answers.Select(answer => answer.IsFinal)),
            Is.EqualTo(((int[])[16, 120, 1060], (bool[])[false, false, true]))
        );

        // As PredictCommand calls it.
        var command = PredictStage.Predict(
            LatencyModelFile.Read(RepositoryFiles.Model),
            new(
                RepositoryFiles.Model,
                [new(ProfileFile.Read("up1"), [12])],
                [TimeSpan.FromMilliseconds(20.3).TotalMilliseconds],
                new() { Seed = SeedPurpose.Predict.Seed(1), Replications = 1060 }
            ),
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

    // Workers get the description of a job and send bytes: this one does the same without a network.
    [Test]
    [Category("Whole")]
    public void Workers_give_the_same_bytes_as_this_process()
    {
        var local = Events(null).Select(one => AnswerJson.Of(one.Value)).ToArray();
        var worker = new BytesRunner();
        Assert.That(Events(worker).Select(one => AnswerJson.Of(one.Value)), Is.EqualTo(local));
        Assert.That(worker.Jobs, Is.GreaterThan(0));
    }

    private static List<(string Name, object Value)> Events(IShardRunner? runner)
    {
        var models = new ModelShelf();
        models.Add(RepositoryFiles.Model);
        var question = new QuestionReader(models).Read(
            Encoding.UTF8.GetBytes(TestServer.Question(clients: 12, threshold: 20.3, copies: 2))
        );
        var events = new List<(string Name, object Value)>();
        new QuestionSimulation(question, runner, (name, value) => events.Add((name, value))).Run(
            CancellationToken.None
        );
        return events;
    }

    private sealed class BytesRunner : IShardRunner
    {
        private const int Size = 7;

        public int Jobs { get; private set; }

        public IEnumerable<TOutcome> Run<TOutcome>(
            ReplicationJob<TOutcome> job,
            int? replications,
            CancellationToken cancellation
        )
        {
            Jobs++;
            var description = job.Describe();
            var compute = new JobCatalogue()
                .Add(FleetJob.Kind, FleetJob.Parse)
                .Read(description.Kind, description.Parts)
                .StartShards();
            for (var first = 0; first < replications; first += Size)
            {
                var shard = new Shard(first, Math.Min(Size, replications.Value - first));
                foreach (var outcome in job.Read(shard, compute(shard, cancellation)))
                    yield return outcome;
            }
        }
    }
}

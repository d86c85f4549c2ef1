using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Latency.Features;
using MqttCheck.Latency.Files;
using MqttCheck.Latency.Models;
using MqttCheck.Learning;
using MqttCheck.Learning.Data;
using MqttCheck.Learning.Learners;
using MqttCheck.Logs;
using MqttCheck.Profiles;
using MqttCheck.Statistics;
using MqttCheck.Tests.Latency;
using MqttCheck.Tests.Logs;

namespace MqttCheck.Tests.Learning;

public sealed class LatencyLearningTests
{
    private static readonly ExchangeLog Log = SyntheticBroker.TrainingLog(1, "up1", 60);

    // Learned again and again, so it is short.
    private static readonly ExchangeLog Short = SyntheticBroker.TrainingLog(1, "up1", 20);

    [Test]
    [Category("Whole")]
    public void Same_log_and_seed_give_the_same_file_byte_for_byte([ValueSource(nameof(Names))] string learner)
    {
        var files = new byte[3][];
        Parallel.For(
            0,
            files.Length,
            at =>
                files[at] = LatencyModelFile.ToBytes(
                    LatencyLearning.Learn([Short], LearnerCatalogue.ByName(learner), 1)
                )
        );
        Assert.That(files, Is.All.EqualTo(files[0]));
    }

    [Test]
    public void Order_of_the_lines_in_the_log_does_not_matter_to_the_tables()
    {
        var shuffled = Short with
        {
            Exchanges = [.. Short.Exchanges.OrderBy(exchange => (exchange.Run, exchange.IssueIndex * 7919 % 104_729))],
        };
        Assert.That(
            LatencyModelFile.ToBytes(LatencyLearning.Learn([shuffled], LearnerCatalogue.All[0], 1)),
            Is.EqualTo(LatencyModelFile.ToBytes(LatencyLearning.Learn([Short], LearnerCatalogue.All[0], 1)))
        );
    }

    [Test]
    [Category("Whole")]
    public void Model_from_its_file_draws_what_the_learned_model_draws([ValueSource(nameof(Names))] string learner)
    {
        var learned = LatencyLearning.Learn([Log], LearnerCatalogue.ByName(learner), 1);
        var read = LatencyModelFile.Parse(LatencyModelFile.ToBytes(learned), "model.json");
        var (a, b) = (RandomStream.For(9), RandomStream.For(9));
        foreach (var row in TrainingData.From(Log).Rows.Take(5000))
            Assert.That(read.Model.Draw(row.Features, ref b), Is.EqualTo(learned.Model.Draw(row.Features, ref a)));
    }

    [Test]
    [Category("Whole")]
    public void Provenance_ranges_and_quality_are_recorded()
    {
        var learned = LatencyLearning.Learn([Log with { Sha256 = "abc" }], LearnerCatalogue.All[0], 1);
        Assert.That(learned.Broker.Name, Is.EqualTo("synthetic"));
        Assert.That(learned.Training.LogSha256, Is.EqualTo(new[] { "abc" }));
        Assert.That(
            (learned.Training.Cases, learned.Training.ExchangesByKind.Sum()),
            Is.EqualTo((15, Log.Exchanges.Length))
        );
        Assert.That(learned.Ranges.Clients, Is.InRange(95, 100));
        Assert.That(
            (learned.Ranges.ActiveMessages, learned.Quality!.HeldOutCases),
            Is.EqualTo((Log.Exchanges.Max(exchange => exchange.ActiveMessages), 3))
        );
        Assert.That(learned.Quality.KolmogorovSmirnov, Is.LessThan(0.05));
        Assert.That(learned.Quality.AboveNinetyNinePercent, Is.InRange(0.003, 0.03));
    }

    [Test]
    public void Quality_tells_the_papers_thin_tails_from_a_calibrated_model()
    {
        var paper = LatencyLearning.Learn([Log], LearnerCatalogue.ByName(PaperRegressionModel.KindName), 1);
        Assert.That(paper.Quality!.AboveNinetyNinePercent, Is.GreaterThan(0.2));
        Assert.That(paper.Quality.KolmogorovSmirnov, Is.GreaterThan(0.2));
    }

    [Test]
    public void Few_cases_leave_no_quality()
    {
        var log = Log with { Exchanges = [.. Log.Exchanges.Where(exchange => exchange.Run < 4)] };
        Assert.That(LatencyLearning.Learn([log], LearnerCatalogue.All[0], 1).Quality, Is.Null);
    }

    // The truth and the learned model run in the same loop, at a client count and a mix that no training case had. 600
    // s of 130 clients are about 31 000 sequences on each side; independent ones would leave a standard error below
    // .004, so a difference of .03 is an error of the model.
    [TestCase("up1", 130)]
    [TestCase("up2", 90)]
    [Category("Whole")]
    public void Learned_model_predicts_the_probability_that_a_whole_sequence_is_in_time(string profile, int clients)
    {
        var model = LatencyLearning.Learn([Log], LearnerCatalogue.All[0], 1).Model;
        var truth = WorstOfSequences(21, profile, clients, SyntheticBroker.Latency);
        var predicted = WorstOfSequences(
            22,
            profile,
            clients,
            (in ExchangeFeatures features, ref RandomStream random) => model.Draw(features, ref random)
        );
        using (Assert.EnterMultipleScope())
        {
            foreach (var threshold in new[] { 4.0, 6, 8, 10, 12, 15 })
            {
                Assert.That(
                    predicted.Count(worst => worst < threshold) / (double)predicted.Count,
                    Is.EqualTo(truth.Count(worst => worst < threshold) / (double)truth.Count).Within(0.03),
                    $"at {threshold} ms"
                );
            }
        }
    }

    [Test]
    public void Unknown_learner_lists_those_there_are() =>
        Assert.That(
            () => LearnerCatalogue.ByName("oracle"),
            Throws
                .InstanceOf<InputException>()
                .With.Message.StartsWith("learner \"oracle\" given; allowed: best, binned-quantiles, ")
        );

    [Test]
    public void Profile_with_a_kind_that_was_never_seen_is_refused()
    {
        var publishers = Population.Of(
            ProfileFile.Read("up1").Groups[0].Profile with
            {
                Weights = new MessageWeights(1, 1, 1, 0, 0),
            }
        );
        var log = SyntheticRun.Log(1, [(20, publishers, 5000)], SyntheticBroker.Latency);
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.All[0], 1);
        Assert.That(learned.Extrapolations(publishers, 10), Is.Empty);
        Assert.That(
            () => learned.Extrapolations(ProfileFile.Read("up1"), 10),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "profile up1: it sends subscribe, unsubscribe, which the "
                        + "model has never seen; allowed: connect, disconnect, publish, or a model of this profile: "
                        + "'mqttcheck explore --profile up1 --up-to-clients 10' gives a log to learn from"
                )
        );
        var random = RandomStream.For(1);
        Assert.That(
            () => learned.Model.Draw(new ExchangeFeatures { Kind = MessageKind.Subscribe, Active = 1 }, ref random),
            Throws.InvalidOperationException
        );
    }

    [Test]
    [Category("Whole")]
    public void A_profile_whose_packets_carry_something_else_is_refused_by_key_and_value()
    {
        var plain = ProfileFile.Read("up1").Groups[0].Profile;
        var kept = Population.Of(plain with { Retain = true, KeepAliveSeconds = 30 });
        var mixed = kept with { Groups = [new("a", 1, kept.Groups[0].Profile), new("b", 1, plain)] };
        var learner = LearnerCatalogue.All[0];
        var ofPlain = LatencyLearning.Learn([Log], learner, 1);
        var ofKept = Learned(kept);
        Assert.That(
            () => ofPlain.Extrapolations(kept, 10),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo(
                    "profile up1: \"keepAliveSeconds\": 30 given; the model was learned without it, and the latency of "
                        + "other packets is not known; allowed: a profile without it, or a model of this profile: "
                        + "'mqttcheck explore --profile up1 --up-to-clients 10' gives a log to learn from\n"
                        + "next step: that command, or '--beyond' for an answer without ground"
                )
        );
        Assert.That(
            () => ofKept.Extrapolations(Population.Of(plain), 10),
            Throws.InstanceOf<InputException>().With.Message.Contains("learned with 30")
        );
        Assert.That(() => ofKept.Extrapolations(kept, 10), Throws.Nothing);
        Assert.That(() => ofKept.Extrapolations(mixed, 10), Throws.InstanceOf<InputException>());
        Assert.That(() => Learned(mixed).Extrapolations(mixed, 10), Throws.Nothing);
        Assert.That(ofPlain.Training.Profile!.Packets, Is.Empty);

        // As a file gives it back.
        LearnedModel Learned(Population population)
        {
            var log = SyntheticRun.Log(1, [(20, population, 5000)], SyntheticBroker.Latency);
            var bytes = LatencyModelFile.ToBytes(LatencyLearning.Learn([log], learner, 1));
            return LatencyModelFile.Parse(bytes, "model.json");
        }
    }

    [TestCase(1238, 1240, false)]
    [TestCase(1200, 1240, true)]
    [TestCase(99, 100, true)]
    [Category("Whole")]
    public void A_training_case_of_many_clients_may_lack_a_few_that_were_late(int seen, int clients, bool isBeyond)
    {
        var learned = LatencyLearning.Learn([Log], LearnerCatalogue.All[0], 1);
        learned = learned with { Ranges = learned.Ranges with { Clients = seen, MessagesPerSecond = 1e6 } };
        Assert.That(
            TrainingRange.Of(learned, ProfileFile.Read("up1"), clients).Any(one => one.Feature == TrainingRange.Fleet),
            Is.EqualTo(isBeyond)
        );
    }

    [Test]
    public void Kind_that_was_hardly_seen_gets_one_table_and_a_note()
    {
        var rare = Population.Of(
            ProfileFile.Read("up1").Groups[0].Profile with
            {
                Weights = new MessageWeights(1, 1, 5, 0.02, 0),
            }
        );
        var log = SyntheticRun.Log(1, [(5, rare, 30_000)], SyntheticBroker.Latency);
        var learned = LatencyLearning.Learn([log], LearnerCatalogue.All[0], 1);
        Assert.That(
            learned.Training.Notes,
            Has.Some.Match("^Only [0-9]+ exchanges of subscribe: their latencies are taken for every load.$")
        );
    }

    // One client has no load; one kind of message has no others; constant waits and one topic leave constant features.
    [Test]
    [Category("Whole")]
    public void Poor_logs_give_each_learner_a_clear_error_or_a_model_that_draws_numbers(
        [Values("one client", "one kind", "equal latencies")] string poor,
        [ValueSource(nameof(Names))] string learner
    )
    {
        var up1 = ProfileFile.Read("up1").Groups[0].Profile;
        var (clients, profile) = poor switch
        {
            "one client" => (1, up1),
            "one kind" => (10, up1 with { Weights = new MessageWeights(1, 0, 1, 0, 0) }),
            _ => (10, up1),
        };
        var log = SyntheticRun.Log(
            1,
            Enumerable.Repeat((clients, Population.Of(profile), 20_000.0), 8),
            poor == "equal latencies" ? (in ExchangeFeatures _, ref RandomStream _) => 2.5 : SyntheticBroker.Latency
        );
        LearnedModel learned;
        try
        {
            learned = LatencyLearning.Learn([log], LearnerCatalogue.ByName(learner), 1);
        }
        catch (InputException exception)
        {
            Assert.That(
                exception.Message,
                Does.Contain("allowed").Or.Contain("cannot"),
                "a message that says what is wrong"
            );
            return;
        }
        Assert.That(learned.Training.Notes, Is.Not.Empty, "never a silent model");
        if (poor == "equal latencies")
            Assert.That(learned.Training.Notes, Has.Some.EqualTo("All latencies are 2.5 ms: they depend on nothing."));
        var random = RandomStream.For(1);
        foreach (var row in TrainingData.From(log).Rows.Take(2000))
            Assert.That(learned.Model.Draw(row.Features, ref random), Is.GreaterThanOrEqualTo(0).And.LessThan(1000));
    }

    private static IEnumerable<string> Names => LearnerCatalogue.All.Select(learner => learner.Name);

    // The largest latency of every counted sequence that began after the first second.
    private static List<double> WorstOfSequences(ulong seed, string profile, int clients, SyntheticLatency latency) =>
        [
            .. SyntheticRun
                .Exchanges(seed, 0, clients, ProfileFile.Read(profile), 600_000, latency)
                .Exchanges.Where(exchange => exchange.Phase == ExchangePhase.Counted)
                .GroupBy(exchange => (exchange.Client, exchange.Sequence))
                .Where(sequence => sequence.Count() == 10)
                .Select(sequence => sequence.Max(exchange => exchange.LatencyMilliseconds)),
        ];
}

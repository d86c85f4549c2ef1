using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;
using MqttCheck.Verification.Planning;

namespace MqttCheck.Tests.Verification.Planning;

[TestFixture]
internal sealed class RunTimeTests
{
    // By hand: ten waits of 250 ms and twelve exchanges that take half of the median each. It is that of the setup with
    // the profile and the number of clients.
    [TestCase("up1", 50, 20)]
    [TestCase("up1", 100, 100)]
    [TestCase("up2", 100, 300)]
    public void A_sequence_takes_its_waits_and_half_of_the_worst_latency_an_exchange(
        string profile,
        int clients,
        double half
    ) =>
        Assert.That(
            Seconds(Of(profile, Profile(250)), clients),
            Is.EqualTo((10 * 250 + 12 * half) / 1000).Within(1e-9)
        );

    [Test]
    public void The_slowest_group_counts()
    {
        var population = Of("up1", Profile(250), Profile(1000), Profile(500));
        Assert.That(Seconds(population, 50), Is.EqualTo(10 + 12 * .02).Within(1e-9));
    }

    [Test]
    public void The_least_time_of_a_sequence_is_the_waits_of_the_slowest_group() =>
        Assert.That(
            RunTime.LeastSequenceSeconds(Of("up1", Profile(250), Profile(1000), Profile(500))),
            Is.EqualTo(10).Within(1e-12)
        );

    [Test]
    public void Clients_connect_within_the_ramp_up() =>
        Assert.That(
            RunTime.RampUpSeconds(Population.Of(Profile(250) with { RampUpSeconds = 60 }), 10),
            Is.EqualTo(60).Within(10)
        );

    [TestCase(100, 3, 4.5)]
    [TestCase(1, 1, 2.5)]
    public void Clients_that_wait_alike_take_a_sequence_and_a_half_beside_what_counts(
        int clients,
        int sequences,
        double expected
    ) =>
        Assert.That(
            new RunTime(Of("up1", Profile(250)), clients).Seconds(sequences, 2.9),
            Is.EqualTo(expected * 2.9).Within(1e-9)
        );

    // The expected end of the slowest of so many clients, in means, drawn by R 4.2.2: set.seed(1);
    // f <- function(c, s, L) mean(replicate(4000, max(rgamma(c, s * L + sample(0:(L - 1), c, TRUE)))))
    // for f(600, 1, 2), f(600, 4, 10), f(10, 1, 2), f(1240, 12, 1). Its error is under .05.
    [TestCase(600, 1, 2, 10.66)]
    [TestCase(600, 4, 10, 69.86)]
    [TestCase(10, 1, 2, 5.58)]
    [TestCase(1240, 12, 1, 26.87)]
    public void The_slowest_of_many_clients_ends_a_run(int clients, int sequences, int length, double means)
    {
        var profile = Profile(1) with { WaitMilliseconds = new ExponentialLaw(1000), SequenceLength = length };
        var run = new RunTime(Of("p", profile), clients);
        Assert.That(run.SlowestSeconds(sequences), Is.EqualTo(means).Within(.03 * means));
    }

    [Test]
    public void The_ramp_up_comes_before_the_slowest_client()
    {
        var profile = Profile(1) with { WaitMilliseconds = new ExponentialLaw(1000), RampUpSeconds = 60 };
        var without = Of("p", profile with { RampUpSeconds = 0 });
        Assert.That(
            new RunTime(Of("p", profile), 10).SlowestSeconds(1) - new RunTime(without, 10).SlowestSeconds(1),
            Is.EqualTo(RunTime.RampUpSeconds(Of("p", profile), 10)).Within(1e-9)
        );
    }

    [Test]
    public void The_sequences_within_a_time_are_the_most_that_fit()
    {
        var profile = Profile(1) with { WaitMilliseconds = new ExponentialLaw(1000) };
        var run = new RunTime(Of("p", profile), 100);
        var fits = run.SequencesWithin(200, 11);
        Assert.That(run.Seconds(fits, 11), Is.LessThanOrEqualTo(200));
        Assert.That(run.Seconds(fits + 1, 11), Is.GreaterThan(200));
        Assert.That(run.SequencesWithin(1, 11), Is.Zero);
    }

    // A client that waits the same time before each message, one a sequence, is done exactly after its waits.
    [Test]
    public void Equal_waits_of_one_message_end_together()
    {
        var run = new RunTime(Of("p", Profile(250) with { SequenceLength = 1 }), 100);
        Assert.That(run.SlowestSeconds(5), Is.EqualTo(1.25).Within(1e-12));
    }

    // Shares are relative, and a group of less than a client counts as one.
    [TestCase(.01, .99, 1000, 10)]
    [TestCase(1, 99, 1000, 10)]
    [TestCase(.01, .99, 10, 1)]
    public void A_small_group_of_slow_clients_counts_by_its_own_size(
        double share,
        double rest,
        int clients,
        int counted
    )
    {
        var slow = Profile(1) with { WaitMilliseconds = new ExponentialLaw(1000), SequenceLength = 2 };
        var fleet = Of("p", slow) with { Groups = [new("slow", share, slow), new("fast", rest, Profile(1))] };
        Assert.That(
            new RunTime(fleet, clients).SlowestSeconds(1),
            Is.EqualTo(new RunTime(Of("p", slow), counted).SlowestSeconds(1)).Within(1e-9)
        );
    }

    // Ten messages of 1 s on average: answers of half a second a sequence come on top, for what counts and 1.5 beside
    // it. A sequence cannot be shorter than its waits.
    [Test]
    public void Answers_come_on_top_of_the_waits_of_the_slowest_client()
    {
        var run = new RunTime(Of("p", Profile(1) with { WaitMilliseconds = new ExponentialLaw(1000) }), 600);
        var waits = run.SlowestSeconds(3);
        Assert.That(waits, Is.GreaterThan(4.5 * 10.5));
        Assert.That(
            (run.Seconds(3), run.Seconds(3, 10), run.Seconds(3, 10.5), run.Seconds(3, 5)),
            Is.EqualTo((waits, waits, waits + 4.5 * .5, waits)).Within(1e-9)
        );
    }

    [Test]
    public void The_ramp_up_comes_before_clients_that_wait_alike()
    {
        var profile = Profile(250) with { RampUpSeconds = 60 };
        Assert.That(
            new RunTime(Of("p", profile), 10).Seconds(3, 2.5),
            Is.EqualTo(RunTime.RampUpSeconds(Of("p", profile), 10) + 4.5 * 2.5).Within(1e-9)
        );
    }

    // Three sequences and one and a half of 2.5 s are 11.25 s.
    [TestCase(11.25, 3)]
    [TestCase(11.249, 2)]
    [TestCase(6.25, 1)]
    [TestCase(6.249, 0)]
    [TestCase(1e9, 1_000_000)]
    public void Sequences_that_end_just_in_time_fit(double seconds, int expected) =>
        Assert.That(new RunTime(Of("up1", Profile(250)), 1).SequencesWithin(seconds, 2.5), Is.EqualTo(expected));

    private static double Seconds(Population population, int clients)
    {
        var prediction = new Prediction
        {
            Model = new("m.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new PredictionOptions(),
            Populations = [population],
            Setups =
            [
                Setup("other", 50, [500, 700]),
                Setup("up1", 50, [10, 40, 90]),
                Setup("up1", 100, [10, 200, 900]),
                Setup("up2", 100, [10, 600, 900]),
            ],
            Points = [],
        };
        return RunTime.SequenceSeconds(prediction, population, clients);
    }

    private static PredictedSetup Setup(string profile, int clients, double[] worst) =>
        new()
        {
            Profile = profile,
            Clients = clients,
            Replications = 1,
            Sequences = 1,
            Exchanges = 1,
            MeanActive = 1,
            MaximumActive = 1,
            WorstMilliseconds = worst,
        };

    private static UsageProfile Profile(double wait) =>
        new()
        {
            Name = "p",
            WaitMilliseconds = new ConstantLaw(wait),
            Weights = new MessageWeights(1, 1, 5, 3, 2),
            SequenceLength = 10,
        };

    private static Population Of(string name, params UsageProfile[] profiles) =>
        Population.Of(profiles[0]) with
        {
            Name = name,
            Groups = [.. profiles.Select((profile, i) => new ClientGroup($"g{i}", 1.0 / profiles.Length, profile))],
        };
}

using System.Text.Json;
using MqttCheck.Clients;
using MqttCheck.Latency;
using MqttCheck.Learning.Data;
using MqttCheck.Profiles;
using MqttCheck.Statistics.Laws;

namespace MqttCheck.Tests.Learning.Data;

public sealed class TrainingDesignTests
{
    [TestCase(60, 15)]
    [TestCase(10, 8)]
    [TestCase(600, 40)]
    public void Cases_share_the_budget(double seconds, int count)
    {
        var cases = Doe2(seconds, "up1");
        Assert.That(cases, Has.Count.EqualTo(count));
        Assert.That(cases.Sum(run => run.Duration!.Value.TotalSeconds), Is.EqualTo(seconds).Within(1e-3));
        Assert.That(cases.Select(run => run.Run), Is.EqualTo(Enumerable.Range(0, count)));
    }

    [Test]
    public void Cases_with_longer_waits_run_longer_so_that_each_client_sends_enough()
    {
        var cases = Doe2(60, "up1").OrderBy(run => run.Population.Groups[0].Profile.WaitMilliseconds.Mean).ToArray();
        Assert.That(cases.Select(run => run.Duration), Is.Ordered);
        // The mean of the mean waits is 162.5 ms; a case has 1 + 3 wait / mean shares of the time.
        Assert.That(
            cases[^1].Duration!.Value / cases[0].Duration!.Value,
            Is.EqualTo((1 + 3 * Wait(cases[^1]) / cases.Average(Wait)) / (1 + 3 * Wait(cases[0]) / cases.Average(Wait)))
                .Within(1e-3)
        );

        static double Wait(TrainingCase run) => run.Population.Groups[0].Profile.WaitMilliseconds.Mean;
    }

    [Test]
    public void Clients_and_mean_waits_spread_over_their_whole_range()
    {
        var cases = Doe2(60, "up1");
        var clients = cases.Select(run => run.Clients).Order().ToArray();
        var waits = cases.Select(run => run.Population.Groups[0].Profile.WaitMilliseconds.Mean).Order().ToArray();
        using (Assert.EnterMultipleScope())
        {
            for (var i = 0; i < cases.Count; i++)
            {
                // One case in each fifteenth of the range, of clients by the square root: larger cases more often.
                Assert.That(
                    clients[i],
                    Is.InRange(3 + (int)(98 * Math.Sqrt(i / 15.0)), 3 + (int)(98 * Math.Sqrt((i + 1) / 15.0)))
                );
                Assert.That(waits[i], Is.InRange(25 + 275.0 * i / 15 - 0.001, 25 + 275.0 * (i + 1) / 15 + 0.001));
            }
        }
    }

    [TestCase("up1", 25, 300)]
    [TestCase("up2", 25, 300)]
    public void Waits_cover_the_load_of_the_papers_profiles(string profile, double shortest, double longest) =>
        Assert.That(
            Doe2(60, profile).Select(run => run.Population.Groups[0].Profile.WaitMilliseconds.Mean),
            Has.All.InRange(shortest, longest)
        );

    [Test]
    public void Waits_follow_a_target_that_hardly_waits()
    {
        var fast = Population.Of(
            ProfileFile.Read("up1").Groups[0].Profile with
            {
                WaitMilliseconds = new UniformLaw(0, 20),
            }
        );
        Assert.That(
            TrainingDesign
                .Doe2(1, TimeSpan.FromSeconds(60), fast)
                .Select(run => run.Population.Groups[0].Profile.WaitMilliseconds.Mean),
            Has.All.InRange(10.0 / 6, 20)
        );
        var none = Population.Of(
            ProfileFile.Read("up1").Groups[0].Profile with
            {
                WaitMilliseconds = new ConstantLaw(0),
            }
        );
        Assert.That(
            TrainingDesign
                .Doe2(1, TimeSpan.FromSeconds(60), none)
                .Select(run => run.Population.Groups[0].Profile.WaitMilliseconds.Mean),
            Has.All.InRange(0, 1)
        );
    }

    [Test]
    public void Three_cases_of_four_keep_the_shape_of_the_targets_waits()
    {
        var profile = ProfileFile.Read("up1").Groups[0].Profile;
        var exponential = Population.Of(profile with { WaitMilliseconds = new ExponentialLaw(250) });
        var (fromZero, constant) = (
            Population.Of(profile with { WaitMilliseconds = new UniformLaw(0, 500) }),
            Population.Of(profile with { WaitMilliseconds = new ConstantLaw(100) })
        );
        var waits = TrainingDesign
            .Doe2(1, TimeSpan.FromSeconds(96), exponential, fromZero, constant)
            .Select(run => run.Population.Groups[0].Profile.WaitMilliseconds)
            .ToArray();
        using (Assert.EnterMultipleScope())
        {
            Assert.That(waits, Has.Length.EqualTo(24));
            for (var run = 0; run < waits.Length; run++)
            {
                // Every target has eight cases, of which the fourth and the eighth have waits between other bounds.
                if (run / 3 % 4 == 3)
                    Assert.That(waits[run], Is.TypeOf<UniformLaw>().And.Property(nameof(UniformLaw.Minimum)).Positive);
                else
                    Assert.That(
                        waits[run],
                        run % 3 == 0 ? Is.TypeOf<ExponentialLaw>()
                            : run % 3 == 1 ? Is.TypeOf<UniformLaw>().And.Property(nameof(UniformLaw.Minimum)).Zero
                            : Is.TypeOf<ConstantLaw>()
                    );
            }
        }
    }

    [Test]
    public void Groups_of_a_population_keep_the_proportions_of_their_waits()
    {
        var target = ProfileFile.Read("population");
        var proportion = Proportion(target);
        foreach (var run in Doe2(60, "population").Where(run => run.Run % 4 != 3))
            Assert.That(Proportion(run.Population), Is.EqualTo(proportion).Within(1e-9));

        static double Proportion(Population population) =>
            population.Groups[0].Profile.WaitMilliseconds.Mean / population.Groups[1].Profile.WaitMilliseconds.Mean;
    }

    [Test]
    public void Every_case_is_a_valid_population_with_every_kind_of_message(
        [Values("up1", "up2", "population")] string name
    )
    {
        foreach (var run in Doe2(60, name).Concat(TrainingDesign.Saturated(1, ProfileFile.Read(name))))
        {
            using var stream = new MemoryStream();
            using (var writer = new Utf8JsonWriter(stream))
                ProfileFile.Write(writer, run.Population);
            Assert.That(ProfileFile.Parse(stream.ToArray(), "case").Groups, Is.EqualTo(run.Population.Groups));
            foreach (var kind in Enum.GetValues<MessageKind>())
                Assert.That(run.Population.Groups[0].Profile.Weights.Of(kind), Is.Positive);
            Assert.That(run.Population.Topics, Is.EqualTo(ProfileFile.Read(name).Topics));
        }
    }

    [Test]
    public void Mixes_surround_those_of_the_targets()
    {
        var cases = Doe2(60, "up1", "up2");
        foreach (var target in new[] { "up1", "up2" })
        {
            var wanted = ProfileFile.Read(target).Groups[0].Profile.Weights;
            foreach (
                var kind in new[]
                {
                    MessageKind.Disconnect,
                    MessageKind.Publish,
                    MessageKind.Subscribe,
                    MessageKind.Unsubscribe,
                }
            )
            {
                var shares = cases
                    .Select(run => run.Population.Groups[0].Profile.Weights)
                    .Select(mix => mix.Of(kind) / Sum(mix))
                    .ToList();
                Assert.That(wanted.Of(kind) / Sum(wanted), Is.InRange(shares.Min(), shares.Max()), $"{target} {kind}");
            }
        }
    }

    [Test]
    public void Same_seed_gives_the_same_cases_and_another_seed_others()
    {
        var (first, second) = (Doe2(60, "up1"), Doe2(60, "up1"));
        Assert.That(second.Select(Text), Is.EqualTo(first.Select(Text)));
        Assert.That(
            first.Select(Text),
            Is.Not.EqualTo(TrainingDesign.Doe2(2, TimeSpan.FromSeconds(60), ProfileFile.Read("up1")).Select(Text))
        );
    }

    [Test]
    public void Saturated_design_is_the_papers()
    {
        var cases = TrainingDesign.Saturated(1, ProfileFile.Read("up1"));
        Assert.That(cases, Has.Count.EqualTo(100));
        Assert.That(cases.Select(run => run.Clients), Has.All.InRange(3, 100));
        Assert.That(cases.Select(run => run.MessagesPerClient), Has.All.EqualTo(50));
        Assert.That(
            cases.Select(run => run.Population.Groups[0].Profile.WaitMilliseconds),
            Has.All.EqualTo(new ConstantLaw(0))
        );
    }

    [Test]
    public void Budget_below_a_second_is_refused() =>
        Assert.That(
            () => Doe2(0.5, "up1"),
            Throws
                .InstanceOf<InputException>()
                .With.Message.EqualTo("training time: 0.5 s given; allowed: at least 1 s")
        );

    [Test]
    public void Up_to_a_hundred_clients_the_design_does_not_depend_on_the_asked_number() =>
        Assert.That(
            TrainingDesign.Doe2(1, TimeSpan.FromSeconds(60), 60, ProfileFile.Read("up1")).Select(Text),
            Is.EqualTo(Doe2(60, "up1").Select(Text))
        );

    // 300 sensors of 5 s and 10 dashboards of .4 s on average offer some 111 messages/s, and four times as many 445.
    [TestCase(310)]
    [TestCase(1240)]
    public void Larger_fleets_are_trained_as_they_are_up_to_the_asked_number_and_load(int clients)
    {
        var fleet = FleetSizes
            .TryParse("sensors=300+dashboards=10+gateways=0", 20_000)!
            .Of([SlowSensors(ProfileFile.Read("population"))])
            .Single()
            .Population;
        var budget = TimeSpan.FromSeconds(60);
        var cases = TrainingDesign.Doe2(1, budget, clients, fleet);
        var large = cases.Where(run => run.Clients > TrainingDesign.MostClients).ToArray();
        using var _ = Assert.EnterMultipleScope();
        Assert.That((cases.Count, cases.Select(run => run.Run)), Is.EqualTo((15, Enumerable.Range(0, 15))));
        Assert.That(cases.Sum(run => run.Duration!.Value.TotalSeconds), Is.EqualTo(60).Within(1e-3));
        Assert.That(large, Has.Length.InRange(2, 3));
        Assert.That(large.Max(run => run.Clients), Is.EqualTo(clients));
        foreach (var run in large)
        {
            Assert.That(
                run.Population.Groups.Select(group => group.Profile.Weights),
                Is.EqualTo(fleet.Groups.Select(group => group.Profile.Weights)),
                "sensors stay sensors"
            );
            Assert.That(
                LearnedModel.OfferedLoad(run.Population, run.Clients),
                Is.GreaterThanOrEqualTo(LearnedModel.OfferedLoad(fleet, run.Clients) * .99)
            );
        }
        var most = large.MaxBy(run => run.Clients)!;
        Assert.That(
            LearnedModel.OfferedLoad(most.Population, clients),
            Is.GreaterThan(1.4 * LearnedModel.OfferedLoad(fleet, clients))
        );
    }

    private static Population SlowSensors(Population plant) =>
        plant with
        {
            Groups =
            [
                .. plant.Groups.Select(group =>
                    group.Name == "sensors"
                        ? group with
                        {
                            Profile = group.Profile with
                            {
                                WaitMilliseconds = group.Profile.WaitMilliseconds.Scaled(5),
                            },
                        }
                        : group
                ),
            ],
        };

    private static IReadOnlyList<TrainingCase> Doe2(double seconds, params string[] targets) =>
        TrainingDesign.Doe2(1, TimeSpan.FromSeconds(seconds), [.. targets.Select(ProfileFile.Read)]);

    private static double Sum(MessageWeights mix) => mix.Disconnect + mix.Publish + mix.Subscribe + mix.Unsubscribe;

    private static string Text(TrainingCase run) =>
        $"{run.Run} {run.Clients} {run.Duration} {run.Population.Groups[0].Profile}";
}

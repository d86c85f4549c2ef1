using MqttCheck.Latency;
using MqttCheck.Learning;
using MqttCheck.Learning.Learners;
using MqttCheck.Predictions;
using MqttCheck.Profiles;
using MqttCheck.Properties;
using MqttCheck.Properties.Traces;
using MqttCheck.Tests.Learning;

namespace MqttCheck.Tests.Properties;

/// <summary>Answers to properties hold the model's error and say every caution, as predictions do. Seed 1.</summary>
[TestFixture]
public sealed class ModelAllowanceTests
{
    private static readonly Population s_up1 = ProfileFile.Read("up1");

    private static readonly LearnedModel s_model = LatencyLearning.Learn(
        [SyntheticBroker.TrainingLog(1, "up1", 60)],
        LearnerCatalogue.ByName("binned-quantiles"),
        1
    );

    private static TraceProperty Sequence(string head) => TraceProperty.Parse($"{head}[ G<=10msg latency < 5ms ]");

    // The simulations are not the same, so the edges differ by what some hundred replications are off.
    [Test]
    [Category("Whole")]
    public void A_probability_has_the_interval_and_the_notes_of_the_prediction_of_the_same_point()
    {
        var forecast = Forecast.Of(s_model, s_up1, 50, new() { Seed = 1 });
        var point = forecast.Point(5);
        var answer = PropertyEstimator.Predict(Sequence("P"), s_model, s_up1, 50, new() { Replications = 1060 });
        Assert.That(s_model.Replay, Is.Not.Null);
        Assert.That(answer.Estimate, Is.EqualTo(point.Probability).Within(.02));
        Assert.That(
            (answer.Interval!.Lower, answer.Interval.Upper),
            Is.EqualTo((point.Interval.Lower, point.Interval.Upper)).Within(.03)
        );
        Assert.That(answer.OfSimulation!.Lower, Is.GreaterThan(answer.Interval.Lower));
        Assert.That(answer.OfSimulation.Upper, Is.LessThanOrEqualTo(answer.Interval.Upper));
        Assert.That(forecast.Notes, Is.SubsetOf(answer.Notes));
        Assert.That(answer.Method, Does.StartWith($"{forecast.Level:P0} interval of what one long measurement"));
    }

    [Test]
    public void A_requirement_that_the_models_error_can_turn_is_undecided()
    {
        var share = PropertyEstimator.Predict(Sequence("P"), s_model, s_up1, 50, new()).Estimate!.Value;
        var near = TraceProperty.AtLeast(share - .04, Sequence("P").Formula!);
        var far = TraceProperty.AtLeast(share / 3, Sequence("P").Formula!);
        Assert.That(PropertyEstimator.Simulate(near, s_model.Model, s_up1, 50, new()).Holds, Is.True);
        var answer = PropertyEstimator.Predict(near, s_model, s_up1, 50, new());
        Assert.That(answer.Holds, Is.Null);
        Assert.That(answer.Notes, Has.Some.Contains("the model's own error leaves open"));
        Assert.That(PropertyEstimator.Predict(far, s_model, s_up1, 50, new()).Holds, Is.True);
    }

    [Test]
    public void A_quantile_of_the_worst_latency_lies_where_the_predicted_share_may_be_that_of_the_quantile()
    {
        var answer = PropertyEstimator.Predict(
            TraceProperty.Parse("Q0.85[ max latency ]"),
            s_model,
            s_up1,
            50,
            new() { Replications = 200 }
        );
        var forecast = Forecast.Of(s_model, s_up1, 50, new() { Seed = 1, Replications = 100 });
        Assert.That(forecast.Interval(answer.Interval!.Lower * .98).Upper, Is.LessThan(.85));
        Assert.That(forecast.Interval(answer.Interval.Lower * 1.02).Upper, Is.GreaterThanOrEqualTo(.85));
        Assert.That(forecast.Interval(answer.Interval.Upper * .98).Lower, Is.LessThanOrEqualTo(.85));
        Assert.That(answer.Interval.Contains(answer.Estimate!.Value));
    }

    [Test]
    public void An_expectation_says_that_its_interval_is_of_the_simulation_alone() =>
        Assert.That(
            PropertyEstimator
                .Predict(TraceProperty.Parse("E[ max latency ]"), s_model, s_up1, 20, new() { Replications = 50 })
                .Notes,
            Has.Some.EndsWith("holds the error of the simulation alone.")
        );

    [Test]
    [Category("Whole")]
    public void The_largest_fleet_allows_for_the_error_of_the_model()
    {
        var property = Sequence("P>=0.5");
        var options = new PropertyOptions { LargestReplications = 300 };
        var simulated = FleetLimitSearch.Find(property, s_model.Model, s_up1, 1, 300, options);
        var predicted = FleetLimitSearch.Predict(property, s_model, s_up1, 1, 300, options);
        Assert.That(predicted.ModelLevel, Is.InRange(.5, .95));
        Assert.That(predicted.Holds ?? 0, Is.LessThan(simulated.Fails!.Value), "no more than without the error");
        Assert.That(predicted.Fails ?? 301, Is.GreaterThan(simulated.Holds ?? 0));
        Assert.That(
            (predicted.Fails ?? 301) - (predicted.Holds ?? 0),
            Is.GreaterThan(simulated.Fails - (simulated.Holds ?? 0)),
            "what the model may be off leaves a gap"
        );
    }

    [Test]
    public void The_search_for_the_largest_fleet_ends_where_the_load_is_twice_what_was_seen()
    {
        var seen = s_model with { Ranges = s_model.Ranges with { MessagesPerSecond = 26.1, OfferedPerSecond = null } };
        var options = new PropertyOptions { LargestReplications = 60, Error = .2 };
        var limit = FleetLimitSearch.Predict(Sequence("P>=0.01"), seen, s_up1, 1, 300, options);
        // A client of up1 offers up to 5.2 messages per second.
        Assert.That((limit.Border, limit.Holds, limit.Fails), Is.EqualTo(((int?)10, (int?)10, (int?)null)));
        Assert.That(limit.Describe(1, 300), Does.StartWith("holds for 10 clients, the border of what the model"));
        Assert.That(limit.Notes[0], Does.StartWith("The search ends at 10 clients of up1").And.Contains("'--beyond'"));
        Assert.That(limit.Tests.Select(test => test.Clients), Is.All.AtMost(10));

        var beyond = FleetLimitSearch.Predict(Sequence("P>=0.01"), seen, s_up1, 9, 12, options with { Beyond = true });
        Assert.That((beyond.Border, beyond.Tests.Max(test => test.Clients)), Is.EqualTo(((int?)null, 12)));
    }

    // No training case of such a load had more than no open exchange, as the model says of itself here.
    private static LearnedModel RunsAway =>
        s_model with
        {
            Replay = s_model.Replay! with
            {
                Cases = [.. s_model.Replay.Cases.Select(replayed => replayed with { MeanActive = -.4 })],
            },
        };

    [Test]
    public void Where_the_model_is_not_to_be_trusted_no_fleet_is_decided()
    {
        var limit = FleetLimitSearch.Predict(
            Sequence("P>=0.01"),
            RunsAway,
            s_up1,
            10,
            20,
            new() { LargestReplications = 50 }
        );
        Assert.That((limit.Holds, limit.Fails), Is.EqualTo(((int?)null, (int?)null)));
        Assert.That(limit.Tests, Has.All.Property("IsTrusted").False);
        Assert.That(limit.Notes, Has.Some.Contains("Do not trust this prediction"));
    }

    [Test]
    public void A_load_that_runs_away_is_a_caution_and_a_note()
    {
        var forecast = Forecast.Of(RunsAway, s_up1, 20, new() { Replications = 5 });
        using var _ = Assert.EnterMultipleScope();
        Assert.That(forecast.Cautions, Has.Exactly(1).Contains("Do not trust this prediction"));
        Assert.That(forecast.Notes, Is.SupersetOf(forecast.Cautions));
    }

    [Test]
    public void More_clients_than_in_training_are_said_with_the_command_that_mends_it()
    {
        var forecast = Forecast.Of(s_model, s_up1, 150, new() { Replications = 5 });
        Assert.That(forecast.IsOutsideTraining);
        Assert.That(
            forecast.Notes,
            Has.Some.Contains("150 clients of up1 are predicted; the model has seen at most ")
                .And.Some.Contains("'mqttcheck explore --profile up1 --up-to-clients 150'")
        );
        Assert.That(Forecast.Of(s_model, s_up1, 50, new() { Replications = 5 }).IsOutsideTraining, Is.False);
    }

    [Test]
    public void An_interrupted_search_has_what_was_tested_until_then()
    {
        using var cancellation = new CancellationTokenSource();
        var tests = 0;
        var limit = FleetLimitSearch.Find(
            Sequence("P>=0.5"),
            s_model.Model,
            s_up1,
            1,
            300,
            new() { LargestReplications = 50 },
            _ =>
            {
                if (++tests == 2)
                    cancellation.Cancel();
            },
            cancellation.Token
        );
        Assert.That((limit.IsInterrupted, limit.Tests.Count), Is.EqualTo((true, 2)));
        Assert.That(
            () =>
                FleetLimitSearch.Find(
                    Sequence("P>=0.5"),
                    s_model.Model,
                    s_up1,
                    1,
                    300,
                    new(),
                    null,
                    cancellation.Token
                ),
            Throws.InstanceOf<OperationCanceledException>()
        );
    }
}

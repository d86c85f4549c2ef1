using System.Collections.Concurrent;
using MqttCheck.Clients;
using MqttCheck.Predictions;
using MqttCheck.Statistics;
using MqttCheck.Statistics.Laws;
using MqttCheck.Testing.Sequences;

namespace MqttCheck.Testing.Tests.Sequences;

/// <summary>
/// Actions of a user under the tests of requirements. Deadlines lie far off on both sides and all runs count, so that
/// the speed of the machine does not matter.
/// </summary>
[TestFixture, NonParallelizable]
internal sealed class SequenceMeasurementTests
{
    private static readonly TimeSpan s_generous = 30.Seconds();
    private static readonly TimeSpan s_impossible = 0.0001.Milliseconds();

    [Test]
    [Category("Whole")]
    public void An_action_that_is_in_time_is_met_and_has_a_report()
    {
        using var recording = new RecordingHost();
        var decision = Requirement
            .Latency(below: s_generous, probability: .9)
            .Decide(Of((_, _) => Task.CompletedTask), recording.Host);
        Assert.That(decision.IsMet, Is.True);
        Assert.That(
            File.ReadAllText(recording.Attached.Single()),
            Does.Contain("Does the application meet its requirement?").And.Contain("20 clients with actions")
        );
    }

    [Test]
    public void A_failure_says_what_was_asked_and_seen_how_sure_and_how_to_repeat_it()
    {
        var result = Requirement
            .Latency(below: s_impossible, probability: .9)
            .OfStep("request")
            .Decide(
                Of(
                    async (client, token) =>
                    {
                        await client.Step("request", () => Task.Delay(1, token));
                        await client.Step("other", () => Task.CompletedTask);
                    },
                    new() { Seed = 7 }
                )
            );
        Assert.That(result.IsMet, Is.False);
        var message = result.Message;
        Assert.That(
            message,
            Does.Contain(
                "Expected: every step 'request' of a sequence ends in less than 0 ms "
                    + "with a probability of at least 0.9"
            )
        );
        Assert.That(message, Does.Match(@"But was:  a probability of 0\.000 \(95 % interval 0\.000 to 0\.\d+\)"));
        Assert.That(message, Does.Match(@"Seen:     0 of \d+ sequences in time, in 3 runs; 20 clients with actions"));
        Assert.That(message, Does.Contain("Latency:  of the slowest step of a sequence: median "));
        Assert.That(message, Does.Contain("with a correlation of at most .4 inside a run"));
        Assert.That(message, Does.Contain("--environment MQTTCHECK_SEED=7"));
        Assert.That(message, Does.Not.Contain("Broker:").And.Not.Contain("Failed:"));
    }

    [Test]
    [Category("Whole")]
    public void Actions_that_throw_are_missed_and_the_first_is_shown_with_how_many()
    {
        var measurement = Of(
            (client, _) => client.Number < 10 ? throw new InvalidDataException("no answer\nat all") : Task.CompletedTask
        );
        var result = Requirement.Success(probability: .9).Decide(measurement);
        Assert.That(result.IsMet, Is.False);
        var message = result.Message;
        Assert.That(message, Does.Contain("Expected: a sequence succeeds with a probability of at least 0.9"));
        Assert.That(message, Does.Contain("But was:  a probability of 0.500"));
        Assert.That(
            message,
            Does.Match(
                @"Failed:   \d+ of \d+ sequences: (\d+) threw, 0 took longer than 10 s\. The first: InvalidDataException: no answer at all \(run 1, client \d, sequence 0\)"
            )
        );
        foreach (var run in measurement.Runs)
            Assert.That(
                run.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Failed) * 2,
                Is.EqualTo(run.Outcomes.Count)
            );
    }

    [Test]
    public void Actions_are_called_by_the_host_which_may_swallow_what_they_throw()
    {
        var calls = 0;
        var host = new TestHost
        {
            Call = async work =>
            {
                Interlocked.Increment(ref calls);
                try
                {
                    await work();
                }
                catch (NotSupportedException)
                {
                    // As a framework does with what ends a test with success.
                }
            },
        };
        var measurement = Of((_, _) => throw new NotSupportedException());
        Assert.That(Requirement.Success(probability: .7).Decide(measurement, host).IsMet, Is.True);
        Assert.That(measurement.Failures, Is.Null);
        Assert.That(calls, Is.GreaterThan(20 * measurement.Runs.Count));
    }

    [Test]
    [Category("Whole")]
    public void An_action_that_takes_too_long_is_missed()
    {
        // The others are done long before, so the run waits for it.
        var measurement = Of(
            (client, token) =>
                client.Number == 0 && client.Run >= 0 ? Task.Delay(Timeout.Infinite, token) : Task.CompletedTask,
            new() { Timeout = .5.Seconds(), SequencesPerClient = 1 }
        );
        var run = (SequenceRun)measurement.Run(0, 1);
        Assert.That(run.Outcomes.Single(outcome => outcome.Client == 0).Status, Is.EqualTo(OutcomeStatus.Failed));
        Assert.That(
            run.Outcomes.Where(outcome => outcome.Client != 0),
            Has.Exactly(19).Matches<Outcome>(outcome => outcome.Status == OutcomeStatus.Completed)
        );
        Assert.That(
            measurement.Failures,
            Does.Match(@"^2 of \d+ sequences: 0 threw, 2 took longer than 0\.5 s\. The first: TaskCanceledException")
        );
    }

    [Test]
    public void Actions_none_of_which_ends_are_told_after_the_rehearsal()
    {
        var measurement = Of(
            (_, token) => Task.Delay(Timeout.Infinite, token),
            new() { Timeout = .5.Seconds(), Seed = 5 }
        );
        Assert.That(
            () => Requirement.Success(.9).Decide(measurement),
            Throws
                .TypeOf<SequenceException>()
                .With.Message.Match(
                    @"^sequences: none of \d+ actions ended within 0\.5 s in the rehearsal, so there is nothing to measure\. Find out what they wait for, or allow more with SequenceOptions\.Timeout\. Seed 5\.$"
                )
        );
    }

    [Test, CancelAfter(60_000)]
    [Category("Whole")]
    public void An_action_that_ignores_its_token_ends_the_measurement_with_one_message([Values] bool blocks)
    {
        using var release = new ManualResetEventSlim();
        var measurement = Of(
            (client, _) =>
            {
                if (client.Run < 1 || client.Number != 2)
                    return Task.CompletedTask;
                if (!blocks)
                    return new TaskCompletionSource().Task;
                release.Wait(CancellationToken.None);
                return Task.CompletedTask;
            },
            new()
            {
                Timeout = .5.Seconds(),
                Patience = .2.Seconds(),
                Seed = 6,
            }
        );
        try
        {
            Assert.That(
                () => Requirement.Success(.9).Decide(measurement),
                Throws
                    .TypeOf<SequenceException>()
                    .With.Message.Match(
                        @"^sequences: sequence 0 of client 2 in run 2 did not end within 0\.5 s, nor within 0\.2 s after its token was cancelled; it still runs\. (\d+) of \1 sequences of this run succeeded before\. "
                            + @"Hand the token on to whatever the action awaits, or allow more with SequenceOptions\.Timeout\. Seed 6\.$"
                    )
            );
            Assert.That(measurement.Runs, Has.Count.EqualTo(1), "what was measured before is kept");
        }
        finally
        {
            release.Set();
        }
    }

    [Test]
    public void Each_client_is_set_up_once_in_a_run_and_disposed_of_at_its_end()
    {
        var states = new States();
        var measurement = new SequenceMeasurement(
            SequenceAction.Of(
                (client, _) => Task.FromResult(states.Add(client)),
                (client, state, _) =>
                {
                    Assert.That(
                        (state.Run, state.Client, state.IsDisposed),
                        Is.EqualTo((client.Run, client.Number, false))
                    );
                    return Task.CompletedTask;
                }
            ),
            5,
            new(),
            CancellationToken.None
        )
        {
            IsValid = _ => true,
        };
        Assert.That(Requirement.Success(.9).WithRuns(3).Decide(measurement).IsMet, Is.True);
        Assert.That(measurement.Failures, Is.Null);
        Assert.That(
            states.Made.Select(state => (state.Run, state.Client)).Order(),
            Is.EqualTo(
                Enumerable
                    .Range(-1, measurement.Runs.Count + 1)
                    .SelectMany(run => Enumerable.Range(0, 5).Select(client => (run, client)))
            )
        );
        Assert.That(states.Made, Has.All.Matches<State>(state => state.IsDisposed));
    }

    [Test]
    public void A_client_that_cannot_be_set_up_is_named_and_the_others_are_disposed_of()
    {
        var states = new States();
        var measurement = new SequenceMeasurement(
            SequenceAction.Of(
                async (client, _) =>
                {
                    await Task.Yield();
                    if (client.Number == 3)
                        throw new InvalidDataException("refused");
                    return states.Add(client);
                },
                (_, _, _) => Task.CompletedTask
            ),
            5,
            new(),
            CancellationToken.None
        );
        Assert.That(
            () => Requirement.Success(.9).Decide(measurement),
            Throws
                .TypeOf<SequenceException>()
                .With.Message.StartsWith(
                    "sequences: client 3 could not be set up in the rehearsal: InvalidDataException: refused. "
                        + "A set-up must succeed;"
                )
        );
        Assert.That(states.Made, Has.All.Matches<State>(state => state.IsDisposed));
    }

    [Test, CancelAfter(60_000)]
    [Category("Whole")]
    public void A_cancelled_measurement_leaves_nothing_running()
    {
        using var cancel = new CancellationTokenSource();
        int running = 0,
            waiting = 0;
        var states = new States();
        var measurement = new SequenceMeasurement(
            SequenceAction.Of(
                (client, _) => Task.FromResult(states.Add(client)),
                async (client, _, token) =>
                {
                    Interlocked.Increment(ref running);
                    try
                    {
                        if (client.Run < 0 || client.Sequence == 0)
                            return;
                        if (Interlocked.Increment(ref waiting) == 20)
                            await cancel.CancelAsync();
                        await Task.Delay(Timeout.Infinite, token);
                    }
                    finally
                    {
                        Interlocked.Decrement(ref running);
                    }
                }
            ),
            20,
            new(),
            cancel.Token
        )
        {
            IsValid = _ => true,
        };
        Assert.That(
            () => Requirement.Latency(s_generous, .9).Decide(measurement),
            Throws
                .InstanceOf<OperationCanceledException>()
                .With.Message.Contains("The measurement was cancelled in run")
        );
        Assert.That(running, Is.Zero);
        Assert.That(states.Made, Is.Not.Empty.And.All.Matches<State>(state => state.IsDisposed));
    }

    [Test]
    public void All_clients_run_at_the_same_time_and_each_only_once()
    {
        var gate = new TaskCompletionSource();
        var running = new ConcurrentDictionary<int, int>();
        var measurement = Of(
            async (client, token) =>
            {
                if (client.Run < 0)
                    return;
                Assert.That(running.TryAdd(client.Number, 0), Is.True);
                // Nobody ends before all have begun.
                if (running.Count == 20)
                    gate.TrySetResult();
                await gate.Task.WaitAsync(token);
                running.TryRemove(client.Number, out _);
            }
        );
        Assert.That(
            measurement.Run(0, 3).Outcomes,
            Has.Count.EqualTo(60).And.All.Matches<Outcome>(outcome => outcome.Status == OutcomeStatus.Completed)
        );
    }

    [Test]
    [Category("Whole")]
    public void The_same_seed_gives_the_same_random_numbers_in_every_order_of_work()
    {
        static (int, int, int, ulong)[] Draw(ulong seed)
        {
            var drawn = new ConcurrentQueue<(int, int, int, ulong)>();
            var measurement = Of(
                (client, _) =>
                {
                    // The rehearsal counts one sequence of each client, a run two after the first; what comes later
                    // depends on time.
                    if (client.Sequence <= (client.Run < 0 ? 0 : 2))
                        drawn.Enqueue((client.Run, client.Number, client.Sequence, client.Random.NextUInt64()));
                    return Task.CompletedTask;
                },
                new() { Seed = seed }
            );
            for (var run = 0; run < 2; run++)
                measurement.Run(run, 2);
            return [.. drawn.Order()];
        }
        var (first, again) = (Draw(3), Draw(3));
        Assert.That(again, Is.EqualTo(first));
        Assert.That(Draw(3).Select(draw => draw.Item4), Is.Unique);
        Assert.That(Draw(4).Select(draw => draw.Item4), Is.Not.EqualTo(Draw(3).Select(draw => draw.Item4)));
    }

    // How many pauses there are depends on time, but each client of the run makes its first one.
    [Test]
    public void The_same_seed_gives_the_same_pauses()
    {
        static double[] Draw(ulong seed)
        {
            var law = new RecordedLaw();
            Of((_, _) => Task.CompletedTask, new() { Seed = seed, PauseMilliseconds = law }).Run(0, 2);
            return [.. law.Drawn];
        }
        var first = Draw(3);
        Assert.That(first.Intersect(Draw(3)).Count(), Is.GreaterThanOrEqualTo(20));
        Assert.That(first.Intersect(Draw(4)), Is.Empty);
    }

    [Test]
    [Category("Whole")]
    public void A_sample_is_a_sequence_a_step_or_the_steps_of_a_name()
    {
        var measurement = Of(
            async (client, _) =>
            {
                await client.Step("a", () => Task.CompletedTask);
                await client.Step("b", () => Task.CompletedTask);
                var answer = await client.Step("b", () => Task.FromResult(client.Number));
                if (answer == 0)
                    throw new InvalidDataException();
                if (answer == 1)
                    await client.Step("c", () => Task.FromException(new InvalidDataException()));
            }
        );
        var run = measurement.Run(0, 1);
        Assert.That(run.Samples(MeasuredLatency.Any, false).Count(double.IsInfinity), Is.EqualTo(2));
        // Three steps of each client, the failed fourth of one, and one more sample for what failed outside of a step.
        Assert.That(
            run.Samples(MeasuredLatency.Any, true),
            Has.Count.EqualTo(62).And.Exactly(2).Matches<double>(double.IsInfinity)
        );
        Assert.That(
            run.Samples(MeasuredLatency.Any, true, "b"),
            Has.Count.EqualTo(42).And.Exactly(2).Matches<double>(double.IsInfinity)
        );
        Assert.That(
            run.Samples(MeasuredLatency.Any, false, "a"),
            Has.Count.EqualTo(20).And.Exactly(2).Matches<double>(double.IsInfinity)
        );
    }

    [Test]
    [Category("Whole")]
    public void A_step_that_is_not_awaited_is_a_miss()
    {
        var measurement = Of(
            (client, token) =>
            {
                _ = client.Step("lost", () => new TaskCompletionSource().Task);
                return Task.CompletedTask;
            }
        );
        measurement.Run(0, 1);
        Assert.That(
            measurement.Failures,
            Does.Contain("the action ended before 1 of its steps: await what Step returns")
        );
    }

    [TestCase(.99, true)]
    [TestCase(.3, false)]
    [Category("Whole")]
    public void A_prediction_is_tested_on_actions_by_the_name_of_their_profile(double predicted, bool holds)
    {
        var prediction = new Prediction
        {
            Model = new("model.json", new string('0', 64), "binned-quantiles", "embedded"),
            Options = new(),
            Populations = [],
            Setups = [],
            Points = [new("ours", 20, 30_000, predicted, new(predicted - .01, Math.Min(1, predicted + .01)))],
        };
        Assert.That(
            Requirement
                .Prediction(prediction)
                .Decide(Of((_, _) => Task.CompletedTask, new() { Profile = "ours" }))
                .IsMet,
            Is.EqualTo(holds)
        );
    }

    [Test]
    [Category("Whole")]
    public void Wrong_values_are_named()
    {
        var measurement = Of((client, _) => client.Step("a", () => Task.CompletedTask));
        WrongValue.AssertRefused(
            (
                "Acknowledgement is asked for, but 20 clients with actions do what MqttCheck does not see",
                () => Requirement.Acknowledgement(s_generous, .9).Decide(measurement)
            ),
            ("has a step 'b'; seen: a.", () => Requirement.Latency(s_generous, .9).OfStep("b").Decide(measurement)),
            (
                "the action has none",
                () => Requirement.Latency(s_generous, .9).OfStep("b").Decide(Of((_, _) => Task.CompletedTask))
            ),
            (
                "the number of clients is 0; it must be 1 .. 10000",
                () => Measure.Sequences((_, _) => Task.CompletedTask, clients: 0)
            ),
            (
                "the time-out is 0 s",
                () => Measure.Sequences((_, _) => Task.CompletedTask, options: new() { Timeout = TimeSpan.Zero })
            ),
            ("", () => Measure.Sequences((_, _) => Task.CompletedTask, options: new() { SequencesPerClient = 0 }))
        );
        Assert.That(() => Measure.Sequences(null!), Throws.ArgumentNullException);
    }

    private static SequenceMeasurement Of(
        Func<SequenceClient, CancellationToken, Task> action,
        SequenceOptions? options = null
    ) => new(SequenceAction.Of(action), 20, options ?? new(), CancellationToken.None) { IsValid = _ => true };

    // Between nothing and one millisecond, and remembers what was drawn.
    private sealed record RecordedLaw : Law
    {
        public ConcurrentQueue<double> Drawn { get; } = new();

        public override double Mean => .5;

        public override double Draw(ref RandomStream random)
        {
            var drawn = random.NextDouble();
            Drawn.Enqueue(drawn);
            return drawn;
        }

        public override double CumulativeProbability(double x) => Math.Clamp(x, 0, 1);

        public override Law Scaled(double factor) => throw new NotSupportedException();

        public override string ToString() => "uniform:0ms,1ms";
    }

    // The state that each client of a run is set up with, and whether it was disposed of.
    private sealed class States
    {
        private readonly ConcurrentQueue<State> _made = new();

        public IReadOnlyCollection<State> Made => _made;

        public State Add(SequenceClient client)
        {
            var state = new State(client.Run, client.Number);
            _made.Enqueue(state);
            return state;
        }
    }

    private sealed class State(int run, int client) : IAsyncDisposable
    {
        public int Run => run;

        public int Client => client;

        public bool IsDisposed { get; private set; }

        public async ValueTask DisposeAsync()
        {
            await Task.Yield();
            IsDisposed = true;
        }
    }
}

using MqttCheck.Clients;
using MqttCheck.Logs;
using MqttCheck.Protocol.Packets;

namespace MqttCheck.Brokers.Tests.Fleets;

/// <summary>Runs that are cut short, in virtual time.</summary>
public sealed class FleetCancellationTests
{
    [Test]
    public void A_cancelled_run_has_a_whole_log_and_leaves_no_session([Range(0, 60, 6)] int milliseconds)
    {
        var run = new VirtualRun();
        using var cancellation = new CancellationTokenSource();
        run.After(TimeSpan.FromMilliseconds(milliseconds), cancellation.Cancel);

        var result = run.Run(cancellation.Token);

        Assert.That((result.Interrupted, result.SessionsLeft, run.Broker.Sessions), Is.EqualTo((true, 0, 0)));
        Assert.That(
            run.Log.Exchanges.Select(exchange => exchange.Outcome),
            Has.All.AnyOf(ExchangeOutcome.Success, ExchangeOutcome.Cancelled)
        );
        Assert.That(result.Count(ExchangeOutcome.Cancelled), Is.LessThanOrEqualTo(5));
        Assert.That(result.Outcomes.Select(outcome => outcome.Status), Has.None.EqualTo(OutcomeStatus.Failed));
        Assert.That(
            run.Log.Exchanges.Select(exchange => exchange.EndMicroseconds),
            Has.All.LessThanOrEqualTo(milliseconds * 1000.0)
        );
    }

    [Test]
    public void Cut_sequences_are_unfinished_and_not_counted_as_failed()
    {
        var run = new VirtualRun();
        using var cancellation = new CancellationTokenSource();
        run.After(TimeSpan.FromMilliseconds(50), cancellation.Cancel);

        var result = run.Run(cancellation.Token);

        Assert.That(result.Outcomes.Count(outcome => outcome.Status == OutcomeStatus.Unfinished), Is.InRange(1, 5));
        Assert.That(
            result
                .Outcomes.Where(outcome => outcome.Status == OutcomeStatus.Unfinished)
                .Select(outcome => outcome.InTime(1e9)),
            Has.None.True
        );
    }

    [Test]
    public void A_token_that_was_cancelled_before_leaves_an_empty_log()
    {
        var run = new VirtualRun();

        var result = run.Run(new CancellationToken(canceled: true));

        Assert.That(
            (result.Interrupted, run.Broker.Sessions, result.Count(ExchangeOutcome.Success)),
            Is.EqualTo((true, 0, 0))
        );
    }

    [Test]
    public void Cleaning_up_at_a_silent_broker_takes_a_second_at_most()
    {
        var run = new VirtualRun();
        using var cancellation = new CancellationTokenSource();
        var silent = false;
        run.Broker.Script = (_, _) => silent ? Fault.Ignore : Fault.None;
        var cancelledAt = 0L;
        run.After(
            TimeSpan.FromMilliseconds(50),
            () =>
            {
                silent = true;
                cancelledAt = run.Wire.NowNanoseconds;
                cancellation.Cancel();
            }
        );

        var result = run.Run(cancellation.Token);

        Assert.That(run.Wire.NowNanoseconds - cancelledAt, Is.InRange(1_000_000_000, 1_001_000_000));
        Assert.That(result.SessionsLeft, Is.InRange(1, 5));
    }

    [Test]
    public void An_aborted_run_ends_at_once()
    {
        var run = new VirtualRun();
        using var abort = new CancellationTokenSource();
        run.After(TimeSpan.FromMilliseconds(50), abort.Cancel);

        var result = run.Run(abort: abort.Token);

        Assert.That((run.Wire.NowNanoseconds, result.Interrupted), Is.EqualTo((50_000_000, true)));
        Assert.That(result.SessionsLeft, Is.EqualTo(run.Broker.Sessions));
    }

    [Test]
    public void An_abort_cuts_the_cleaning_up_short()
    {
        var run = new VirtualRun();
        using var cancellation = new CancellationTokenSource();
        using var abort = new CancellationTokenSource();
        var silent = false;
        run.Broker.Script = (_, packet) => silent && packet is ConnectPacket ? Fault.Ignore : Fault.None;
        run.After(
            TimeSpan.FromMilliseconds(50),
            () =>
            {
                silent = true;
                cancellation.Cancel();
            }
        );
        run.After(TimeSpan.FromMilliseconds(60), abort.Cancel);

        var result = run.Run(cancellation.Token, abort.Token);

        Assert.That(run.Wire.NowNanoseconds, Is.EqualTo(60_000_000));
        Assert.That(result.SessionsLeft, Is.Positive);
    }
}

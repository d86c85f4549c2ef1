using System.Threading.Channels;
using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>
/// Simulates for pages and streams what comes out. Streams are bounded, a page has one simulation, and not more than a
/// few simulate at once.
/// </summary>
internal sealed class Simulations : IDisposable
{
    private const string WaitingEvent = "waiting";
    private const string WaitingReason = "Other pages simulate, or work on the live broker is under way.";
    private const string RefusalEvent = "refusal";
    private const string StoppedReason = "The work was stopped before anything was measured.";

    private readonly int _most;
    private readonly SemaphoreSlim _slots;
    private readonly WhatIfOptions _options;
    private int _open;

    /// <summary>Simulations of a server.</summary>
    public Simulations(WhatIfOptions options)
    {
        _options = options;
        // Workers compute one job after the other.
        _most = options.Runner is null ? options.Simulations : 1;
        _slots = new(_most);
    }

    /// <summary>The work of each page.</summary>
    public PageTurns Turns { get; } = new();

    /// <summary>The work on the live broker.</summary>
    public LiveTurn Live { get; } = new();

    /// <summary>How many event streams are open.</summary>
    public int OpenStreams => Volatile.Read(ref _open);

    /// <summary>Answers a request with the events of some work.</summary>
    /// <param name="context">The request.</param>
    /// <param name="session">The page.</param>
    /// <param name="request">The number of its question.</param>
    /// <param name="work">The work; it is given where its events go.</param>
    /// <param name="gone">Is cancelled when the browser goes away or the server ends.</param>
    /// <exception cref="Refusal">Too many streams are open, or the question is stale.</exception>
    public Task StreamAsync(
        HttpContext context,
        string session,
        long request,
        Action<Action<string, object>, CancellationToken> work,
        CancellationToken gone
    ) =>
        BoundedAsync(async () =>
        {
            using var turn = await Turns.BeginAsync(session, request, gone);
            var stream = new EventStream(context, _options.BeforeEvent);
            await stream.BeginAsync(turn.Token);
            if (!await _slots.WaitAsync(0, turn.Token))
            {
                await stream.SendAsync(WaitingEvent, new Reason(WaitingReason), turn.Token);
                await _slots.WaitAsync(turn.Token);
            }
            try
            {
                await StreamAsync(stream, report => work(report, turn.Token), turn.Token);
            }
            finally
            {
                _slots.Release();
            }
        });

    /// <summary>
    /// Answers a request with the events of work on the live broker. Nothing is simulated meanwhile: it would disturb
    /// what is measured.
    /// </summary>
    /// <param name="context">The request.</param>
    /// <param name="session">The page; it may stop the work.</param>
    /// <param name="work">The work; it is given where its events go, and when to end in order.</param>
    /// <param name="gone">Is cancelled when the browser goes away or the server ends.</param>
    /// <exception cref="Refusal">Too many streams are open, or other live work is under way.</exception>
    public Task StreamLiveAsync(
        HttpContext context,
        string session,
        Func<Action<string, object>, CancellationToken, Task> work,
        CancellationToken gone
    ) =>
        BoundedAsync(async () =>
        {
            var orderly = Live.Begin(session, gone);
            var taken = 0;
            var stream = new EventStream(context, _options.BeforeEvent);
            try
            {
                await stream.BeginAsync(gone);
                for (; taken < _most; taken++)
                    await _slots.WaitAsync(orderly);
                // A stopped one still sends what it found; only a browser that is gone gets nothing.
                await StreamAsync(stream, report => work(report, orderly).GetAwaiter().GetResult(), gone);
            }
            catch (OperationCanceledException) when (!gone.IsCancellationRequested)
            {
                await stream.SendAsync(RefusalEvent, new Reason(StoppedReason), gone);
            }
            finally
            {
                if (taken > 0)
                    _slots.Release(taken);
                Live.End();
            }
        });

    /// <summary>Computes something once there is room for it, and not beside work on the live broker.</summary>
    /// <param name="work">The work; it ends by itself.</param>
    /// <param name="gone">Is cancelled when the browser goes away or the server ends: it does not begin then.</param>
    public async Task<T> ComputeAsync<T>(Func<T> work, CancellationToken gone)
    {
        await _slots.WaitAsync(gone);
        try
        {
            return await Task.Run(work, CancellationToken.None);
        }
        finally
        {
            _slots.Release();
        }
    }

    /// <inheritdoc/>
    public void Dispose() => _slots.Dispose();

    private async Task BoundedAsync(Func<Task> answer)
    {
        if (Interlocked.Increment(ref _open) > _options.EventStreams)
        {
            Interlocked.Decrement(ref _open);
            throw new Refusal(
                StatusCodes.Status503ServiceUnavailable,
                FormattableString.Invariant($"{_options.EventStreams} event streams are open; allowed: no more.")
            );
        }
        try
        {
            await answer();
        }
        finally
        {
            Interlocked.Decrement(ref _open);
        }
    }

    // The work has ended when this has: a page that asks again must not have two simulations.
    private static async Task StreamAsync(
        EventStream stream,
        Action<Action<string, object>> work,
        CancellationToken cancellation
    )
    {
        var events = Channel.CreateUnbounded<(string Name, object Value)>();
        var working = Task.Run(
            () =>
            {
                try
                {
                    work((name, value) => events.Writer.TryWrite((name, value)));
                    events.Writer.TryWrite(("end", new object()));
                }
                catch (InputException wrong)
                {
                    events.Writer.TryWrite(
                        (RefusalEvent, new Reason(wrong.Message) { IsAnsweredBeyond = wrong.IsAnsweredBeyond })
                    );
                }
                finally
                {
                    events.Writer.Complete();
                }
            },
            CancellationToken.None
        );
        try
        {
            await foreach (var (name, value) in events.Reader.ReadAllAsync(cancellation))
                await stream.SendAsync(name, value, cancellation);
        }
        finally
        {
            await working.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
        await working;
    }
}

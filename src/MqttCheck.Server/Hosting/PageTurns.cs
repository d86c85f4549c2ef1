using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>
/// One piece of work at a time for each page: a newer question ends the older one, and an older one that arrives late
/// is refused. Nothing is kept of a page that asks nothing.
/// </summary>
internal sealed class PageTurns
{
    private readonly Lock _gate = new();
    private readonly Dictionary<string, Turn> _bySession = new(StringComparer.Ordinal);

    /// <summary>How many pages have work under way or waiting.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _bySession.Count;
        }
    }

    /// <summary>Ends the older work of the page, waits until it has ended, and begins the new one.</summary>
    /// <param name="session">The page.</param>
    /// <param name="request">The number of its question.</param>
    /// <param name="gone">Is cancelled when the browser goes away or the server ends.</param>
    /// <exception cref="Refusal">The page has asked a newer question.</exception>
    /// <exception cref="OperationCanceledException">It was replaced before it began.</exception>
    public async Task<Turn> BeginAsync(string session, long request, CancellationToken gone)
    {
        Turn turn;
        Turn? older;
        lock (_gate)
        {
            older = _bySession.GetValueOrDefault(session);
            if (older is not null && older.Request >= request)
                throw new Refusal(
                    StatusCodes.Status409Conflict,
                    FormattableString.Invariant($"Question {request} is stale: the page has asked {older.Request}.")
                );
            turn = new(this, session, request, gone);
            _bySession[session] = turn;
        }
        try
        {
            if (older is not null)
            {
                older.Replace();
                await older.Ended.WaitAsync(turn.Token);
            }
            return turn;
        }
        catch
        {
            // A request that waits for this one waits for the work before it too.
            await older!.Ended;
            turn.Dispose();
            throw;
        }
    }

    /// <summary>The work of a page.</summary>
    internal sealed class Turn : IDisposable
    {
        private readonly PageTurns _owner;
        private readonly string _session;
        private readonly CancellationTokenSource _stop;
        private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

        internal Turn(PageTurns owner, string session, long request, CancellationToken gone)
        {
            (_owner, _session, Request) = (owner, session, request);
            _stop = CancellationTokenSource.CreateLinkedTokenSource(gone);
            Token = _stop.Token;
        }

        /// <summary>The number of the question.</summary>
        public long Request { get; }

        /// <summary>Is cancelled when nobody wants the answer any longer.</summary>
        public CancellationToken Token { get; }

        /// <summary>Ends with the work.</summary>
        public Task Ended => _ended.Task;

        /// <summary>Asks it to end.</summary>
        public void Replace()
        {
            lock (_owner._gate)
            {
                if (!_ended.Task.IsCompleted)
                    _stop.Cancel();
            }
        }

        /// <inheritdoc/>
        public void Dispose()
        {
            lock (_owner._gate)
            {
                if (!_ended.TrySetResult())
                    return;
                if (_owner._bySession.GetValueOrDefault(_session) == this)
                    _owner._bySession.Remove(_session);
            }
            _stop.Dispose();
        }
    }
}

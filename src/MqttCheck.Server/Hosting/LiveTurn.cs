using Microsoft.AspNetCore.Http;

namespace MqttCheck.Server.Hosting;

/// <summary>Work on the live broker: one at a time, which the page that began it may stop in order.</summary>
internal sealed class LiveTurn
{
    private readonly Lock _gate = new();
    private string? _session;
    private CancellationTokenSource? _stop;

    /// <summary>Begins the work of a page.</summary>
    /// <param name="session">The page.</param>
    /// <param name="gone">Is cancelled when the browser goes away or the server ends.</param>
    /// <returns>Is cancelled when the work is to end in order.</returns>
    /// <exception cref="Refusal">Other work is under way.</exception>
    public CancellationToken Begin(string session, CancellationToken gone)
    {
        lock (_gate)
        {
            if (_stop is not null)
                throw new Refusal(
                    StatusCodes.Status409Conflict,
                    "Other work on the live broker is under way; allowed: one at a time."
                );
            (_session, _stop) = (session, CancellationTokenSource.CreateLinkedTokenSource(gone));
            return _stop.Token;
        }
    }

    /// <summary>Asks the work of a page to end in order: it still says what it found.</summary>
    /// <param name="session">The page.</param>
    /// <exception cref="Refusal">No work of this page is under way.</exception>
    public async Task StopAsync(string session)
    {
        Task stopping;
        lock (_gate)
        {
            if (_stop is null || _session != session)
                throw new Refusal(
                    StatusCodes.Status404NotFound,
                    "No work of this page on the live broker is under way; allowed: to stop what it has started."
                );
            stopping = _stop.CancelAsync();
        }
        await stopping;
    }

    /// <summary>The work has ended.</summary>
    public void End()
    {
        lock (_gate)
        {
            // A stopped source may be telling its listeners now; it holds nothing that must be given back.
            if (_stop is { IsCancellationRequested: false })
                _stop.Dispose();
            (_session, _stop) = (null, null);
        }
    }
}

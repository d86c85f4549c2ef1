using System.Runtime.InteropServices;
using MqttCheck.App.Progress;
using MqttCheck.Verification.Deciding;

namespace MqttCheck.Cli.Terminal;

/// <summary>
/// Ctrl-C, SIGTERM and SIGHUP as two tokens: the first signal asks for an orderly end (no new work, clean up, write
/// what there is), the second for an end at once (no clean-up on the broker; files are still closed and the broker
/// process is still stopped).
/// </summary>
internal sealed class Interruption : IDisposable
{
    private readonly CancellationTokenSource _orderly = new();
    private readonly CancellationTokenSource _atOnce = new();
    private readonly List<PosixSignalRegistration> _registrations = [];

    /// <summary>Starts to listen for signals.</summary>
    public Interruption()
    {
        foreach (var signal in (ReadOnlySpan<PosixSignal>)[PosixSignal.SIGINT, PosixSignal.SIGTERM, PosixSignal.SIGHUP])
            _registrations.Add(PosixSignalRegistration.Create(signal, OnSignal));
    }

    /// <summary>Cancelled by the first signal.</summary>
    public CancellationToken Orderly => _orderly.Token;

    /// <summary>Cancelled by the second signal.</summary>
    public CancellationToken AtOnce => _atOnce.Token;

    /// <summary>The surroundings of a use case that a screen shows.</summary>
    public Workplace At(Screen screen) => new(screen, screen.Time, Orderly, AtOnce);

    /// <summary>
    /// The conclusion of work that printed what it had: an interruption where there was one, with a remark that the
    /// result is partial.
    /// </summary>
    /// <param name="conclusion">The conclusion without an interruption.</param>
    public Conclusion End(Screen screen, Conclusion conclusion)
    {
        screen.NotePartial(Orderly.IsCancellationRequested);
        return Orderly.IsCancellationRequested ? Conclusion.Interrupted : conclusion;
    }

    /// <summary>
    /// Does what a signal does. The first call ends work in order, the second at once. Tests call it to interrupt.
    /// </summary>
    public void Interrupt()
    {
        if (_orderly.IsCancellationRequested)
            _atOnce.Cancel();
        else
            _orderly.Cancel();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        foreach (var registration in _registrations)
            registration.Dispose();
        _orderly.Dispose();
        _atOnce.Dispose();
    }

    private void OnSignal(PosixSignalContext context)
    {
        // The process ends by returning from Main, after everything has been closed.
        context.Cancel = true;
        Interrupt();
    }
}

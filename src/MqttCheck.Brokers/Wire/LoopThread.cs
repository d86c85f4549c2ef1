using System.Runtime.ExceptionServices;

namespace MqttCheck.Brokers.Wire;

/// <summary>Gives a run a loop and a thread of its own, and waits for its end.</summary>
internal static class LoopThread
{
    /// <summary>Runs.</summary>
    /// <typeparam name="TRun">The type of the run.</typeparam>
    /// <typeparam name="TResult">The type of the result.</typeparam>
    /// <param name="name">The name of the thread.</param>
    /// <param name="createWire">Makes the loop, which is disposed at the end.</param>
    /// <param name="create">Makes the run, on the loop's thread.</param>
    /// <param name="ended">Called when the loop has ended, also by an exception.</param>
    /// <param name="conclude">Makes the result after a loop that ended without one.</param>
    /// <param name="cancellation">Has the run end in order.</param>
    /// <param name="abort">Has it end at once.</param>
    /// <returns>The result; exceptions come through as they were thrown.</returns>
    public static TResult Run<TRun, TResult>(
        string name,
        Func<IWire> createWire,
        Func<IWire, TRun> create,
        Action<TRun> ended,
        Func<TRun, TResult> conclude,
        CancellationToken cancellation,
        CancellationToken abort
    )
        where TRun : ILoopRun
    {
        TResult? result = default;
        ExceptionDispatchInfo? failure = null;
        var thread = new Thread(() =>
        {
            try
            {
                result = RunLoop(createWire, create, ended, conclude, cancellation, abort);
            }
            catch (Exception e)
            {
                failure = ExceptionDispatchInfo.Capture(e);
            }
        })
        {
            Name = name,
            IsBackground = true,
        };
        thread.Start();
        thread.Join();
        failure?.Throw();
        return result!;
    }

    private static TResult RunLoop<TRun, TResult>(
        Func<IWire> createWire,
        Func<IWire, TRun> create,
        Action<TRun> ended,
        Func<TRun, TResult> conclude,
        CancellationToken cancellation,
        CancellationToken abort
    )
        where TRun : ILoopRun
    {
        using var wire = createWire();
        var run = create(wire);
        wire.Post(run.Begin);
        // The registrations are disposed of before the wire, so that a late cancellation cannot reach it.
        using var onCancel = cancellation.UnsafeRegister(
            static (state, _) => ((Action)state!)(),
            new Action(() => wire.Post(run.Cancel))
        );
        using var onAbort = abort.UnsafeRegister(
            static (state, _) => ((Action)state!)(),
            new Action(() => wire.Post(run.Abort))
        );
        try
        {
            wire.Run();
        }
        finally
        {
            ended(run);
        }
        return conclude(run);
    }
}

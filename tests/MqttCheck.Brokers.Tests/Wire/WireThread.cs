using MqttCheck.Brokers.Wire;

namespace MqttCheck.Brokers.Tests.Wire;

/// <summary>
/// A wire on a thread of its own, stopped and disposed at the end of a test. A handler that threw fails the test here.
/// </summary>
public sealed class WireThread : IDisposable
{
    private readonly Thread _thread;
    private Exception? _failure;

    public WireThread(IWire wire)
    {
        Wire = wire;
        _thread = new Thread(Run) { IsBackground = true, Name = "wire" };
        _thread.Start();
    }

    public IWire Wire { get; }

    /// <summary>Runs a function on the wire's thread and waits for its result.</summary>
    public T Invoke<T>(Func<T> function)
    {
        var result = new TaskCompletionSource<T>(TaskCreationOptions.RunContinuationsAsynchronously);
        Wire.Post(() =>
        {
            try
            {
                result.SetResult(function());
            }
            catch (Exception failure)
            {
                result.SetException(failure);
            }
        });
        return Wait(result.Task);
    }

    public void Invoke(Action action) =>
        Invoke(() =>
        {
            action();
            return true;
        });

    /// <summary>Waits for a task that the wire's thread completes.</summary>
    public T Wait<T>(Task<T> task)
    {
        if (!SpinWait.SpinUntil(() => task.IsCompleted || _failure is not null, TimeSpan.FromSeconds(20)))
            throw new TimeoutException("The wire did not do what the test waits for.");
        if (_failure is not null && !task.IsCompleted)
            throw new InvalidOperationException("A handler threw.", _failure);
        return task.GetAwaiter().GetResult();
    }

    public void Dispose()
    {
        Wire.Stop();
        _thread.Join();
        Wire.Dispose();
        if (_failure is not null)
            throw new InvalidOperationException("A handler threw.", _failure);
    }

    private void Run()
    {
        try
        {
            Wire.Run();
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
    }
}

using MqttCheck.Brokers.Wire;
using MqttCheck.Shards.Parts;

namespace MqttCheck.Brokers.Loads.Parts;

/// <summary>
/// The clients of a load that one worker has. They connect when it is prepared, and send when it begins.
/// </summary>
public sealed class SharedLoadPart : IRunPart
{
    /// <summary>The name of this kind of live run.</summary>
    public const string Kind = "load";

    private readonly LoadStart _start = new();
    private readonly LoadRun _run;
    private readonly CancellationTokenSource _orderly = new(),
        _atOnce = new();
    private readonly Relay _progress = new();
    private readonly Task _ended;
    private LoadResult? _result;
    private Exception? _failure;
    private bool _isDisposed;

    private SharedLoadPart(LoadSetup setup)
    {
        _run = new(setup with { Start = _start }, null, TimeProvider.System, _progress);
        _ended = Task.Factory.StartNew(
            Run,
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }

    /// <summary>Prepares a part; see <see cref="PartStart"/>.</summary>
    /// <param name="description">What <see cref="SharedLoadRunner"/> wrote.</param>
    /// <param name="client">Finds the MQTT client of a name.</param>
    /// <exception cref="InputException">
    /// The description is malformed, or this machine has not enough for it.
    /// </exception>
    public static IRunPart Prepare(byte[] description, Func<string, ClientKind> client) =>
        new SharedLoadPart(LoadPartText.Read(description, client));

    /// <inheritdoc/>
    public void Begin(long startNanoseconds, long boundNanoseconds) => _start.Begin(startNanoseconds);

    /// <inheritdoc/>
    public void Receive(byte[] notes) { }

    /// <inheritdoc/>
    public byte[] Take()
    {
        var isOver = _ended.IsCompleted;
        return new LoadPartReport
        {
            IsReady = _start.IsReady,
            Progress = _progress.Latest,
            Result = isOver ? _result : null,
            Failure = isOver ? _failure?.Message : null,
            IsInputFailure = isOver && _failure is InputException,
        }.ToBytes();
    }

    /// <inheritdoc/>
    public void Stop(bool atOnce)
    {
        lock (_orderly)
        {
            if (!_isDisposed)
                (atOnce ? _atOnce : _orderly).Cancel();
        }
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        Stop(atOnce: true);
        // The run still looks at its tokens until it has ended.
        _ended.ContinueWith(_ => DisposeTokens(), TaskScheduler.Default);
    }

    private void DisposeTokens()
    {
        lock (_orderly)
        {
            _isDisposed = true;
            _orderly.Dispose();
            _atOnce.Dispose();
        }
    }

    private void Run()
    {
        try
        {
            _result = _run.Run(_orderly.Token, _atOnce.Token);
        }
        catch (Exception failure)
        {
            _failure = failure;
        }
    }

    private sealed class Relay : IProgress<LoadProgress>
    {
        private readonly Lock _gate = new();
        private LoadProgress _latest;

        public LoadProgress Latest
        {
            get
            {
                lock (_gate)
                    return _latest;
            }
        }

        public void Report(LoadProgress value)
        {
            lock (_gate)
                _latest = value;
        }
    }
}

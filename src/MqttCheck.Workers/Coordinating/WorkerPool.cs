using System.Diagnostics;
using System.Net;
using MqttCheck.Workers.Joining;

namespace MqttCheck.Workers.Coordinating;

/// <summary>
/// The workers that a coordinator uses. It follows the list that Orleans keeps, connects to workers that join, and
/// drops those that left or are declared dead.
/// </summary>
internal sealed class WorkerPool(
    WorkerAddress address,
    WorkerSecurity security,
    SoftwareIdentity identity,
    Action<string> warn
) : IAsyncDisposable
{
    private static readonly TimeSpan s_interval = TimeSpan.FromSeconds(1);

    // A worker that was started just before needs so long to show that it is coming.
    private static readonly TimeSpan s_sign = TimeSpan.FromSeconds(3);

    private const int Questions = 8;

    private readonly WorkerDirectory _directory = new(address);
    private readonly CancellationTokenSource _ending = new();
    private readonly Lock _gate = new();
    private readonly Dictionary<IPEndPoint, Entry> _entries = [];
    private Task _watching = Task.CompletedTask;

    private sealed class Entry
    {
        public WorkerLink? Link { get; set; }
        public string? Refusal { get; set; }
        public bool IsConnecting { get; set; }
        public bool IsAsked { get; set; }
    }

    /// <summary>Raised when a worker becomes usable or unusable.</summary>
    public event Action? Changed;

    /// <summary>The workers that may be used.</summary>
    public IReadOnlyList<WorkerLink> Links
    {
        get
        {
            lock (_gate)
                return
                [
                    .. _entries
                        .Values.Where(entry => entry.Refusal is null)
                        .Select(entry => entry.Link)
                        .OfType<WorkerLink>(),
                ];
        }
    }

    /// <summary>All workers with a known state, including refused ones.</summary>
    public IReadOnlyList<WorkerState> States => StatesOf(entry => !entry.IsConnecting);

    /// <summary>Finds the workers, and begins to follow the list.</summary>
    /// <param name="patience">
    /// How long to wait for the first that may be used, where one is there or is seen to start.
    /// </param>
    /// <param name="cancellation">Gives up.</param>
    /// <exception cref="WorkerException">None may be used, with the reason; or Redis does not serve.</exception>
    public async Task StartAsync(TimeSpan patience, CancellationToken cancellation)
    {
        var started = Stopwatch.GetTimestamp();
        while (true)
        {
            await LookAsync(cancellation);
            // The pool waits for the listed workers, so that the list is complete and the first one does not get all
            // the work.
            while (IsConnecting && Links.Count == 0 && Stopwatch.GetElapsedTime(started) < patience)
                await Task.Delay(20, cancellation);
            if (Links.Count > 0)
                break;
            // A worker that has just been started is waited for, longer where its claim to the address is seen.
            var isStarting = States.Count == 0 || States.Any(state => state.Refusal == WorkerProbe.NobodyAnswers);
            if (!isStarting || Stopwatch.GetElapsedTime(started) >= (address.IsClaimed ? patience : s_sign))
                throw None();
            await Task.Delay(200, cancellation);
        }
        _watching = WatchAsync();
    }

    /// <summary>Waits until every worker of the list has answered or failed, and asks each some more times.</summary>
    public async Task SettleAsync(TimeSpan patience, CancellationToken cancellation)
    {
        var started = Stopwatch.GetTimestamp();
        // The first worker was needed to read the list of the others.
        await LookAsync(cancellation);
        while (IsConnecting && Stopwatch.GetElapsedTime(started) < patience)
            await Task.Delay(20, cancellation);
        // The first call of a connection is slow, and gives a poor estimate of a clock.
        for (var i = 0; i < Questions; i++)
            await Task.WhenAll(Links.Select(link => link.AskAsync()));
    }

    /// <inheritdoc/>
    public async ValueTask DisposeAsync()
    {
        await _ending.CancelAsync();
        await _watching;
        await Task.WhenAll(Links.Select(link => link.DisposeAsync().AsTask()));
        await _directory.DisposeAsync();
    }

    private bool IsConnecting
    {
        get
        {
            lock (_gate)
                return _entries.Values.Any(entry => entry.IsConnecting);
        }
    }

    private WorkerException None()
    {
        // A worker that has not refused by now has not answered either.
        var states = StatesOf(_ => true);
        return states.Count > 0
            ? new(
                string.Join(
                    '\n',
                    states.Select(state =>
                        state.Refusal is { } refusal && refusal != WorkerProbe.NobodyAnswers
                            ? $"worker at {state.Address}{Named(state)}: {refusal}."
                            : $"{WorkerProbe.NobodyAnswers}: {address.Text}; allowed: the address with which "
                                + "'mqttcheck worker --join ADDRESS' was started."
                    )
                )
            )
            : new(
                "no worker has joined; allowed: the address with which 'mqttcheck worker --join ADDRESS' was started."
            );
    }

    private List<WorkerState> StatesOf(Func<Entry, bool> which)
    {
        lock (_gate)
            return
            [
                .. _entries
                    .OrderBy(entry => entry.Key.ToString(), StringComparer.Ordinal)
                    .Where(entry => which(entry.Value))
                    .Select(entry =>
                        entry.Value.Link?.State(entry.Value.Refusal)
                        ?? new(entry.Key.ToString(), "", 0, "", 0, 0, double.NaN, 0, double.NaN, 0, entry.Value.Refusal)
                    ),
            ];
    }

    private static string Named(WorkerState state) => state.Machine.Length == 0 ? "" : $" ({state.Machine})";

    private async Task WatchAsync()
    {
        while (!_ending.IsCancellationRequested)
        {
            try
            {
                await Task.Delay(s_interval, _ending.Token);
                await LookAsync(_ending.Token);
                Ask();
            }
            catch (Exception)
            {
                // The list cannot be read now, so the known workers go on.
            }
        }
    }

    private async Task LookAsync(CancellationToken cancellation)
    {
        var first = Links.FirstOrDefault(link => link.Endpoint.Equals(_directory.First));
        var listed = await _directory.ListAsync(first?.Factory, cancellation);
        var left = new List<WorkerLink>();
        lock (_gate)
        {
            foreach (
                var gone in _entries
                    .Where(entry => !listed.Contains(entry.Key))
                    .ToArray()
                    .Where(gone => !gone.Value.IsConnecting)
            )
            {
                _entries.Remove(gone.Key);
                if (gone.Value.Link is { } link)
                    left.Add(link);
            }
            foreach (var endpoint in listed)
            {
                var entry = _entries.GetOrNew(endpoint);
                if (entry.Link is null && !entry.IsConnecting)
                {
                    entry.IsConnecting = true;
                    _ = ConnectAsync(endpoint, entry);
                }
            }
        }
        if (left.Count > 0)
            Changed?.Invoke();
        foreach (var link in left)
            _ = link.DisposeAsync().AsTask();
    }

    private async Task ConnectAsync(IPEndPoint endpoint, Entry entry)
    {
        string? refusal;
        WorkerLink? link = null;
        try
        {
            link = await WorkerLink.ConnectAsync(endpoint, security, identity, _ending.Token);
            refusal = identity.Differs(link.Identity);
        }
        catch (Exception failure)
        {
            refusal = failure.Message;
        }
        lock (_gate)
        {
            if (refusal is not null && entry.Refusal is null && _watching != Task.CompletedTask)
                warn($"worker at {endpoint} is not used: {refusal}.");
            (entry.Link, entry.Refusal, entry.IsConnecting) = (link, refusal, false);
        }
        Changed?.Invoke();
    }

    // Each worker is asked separately, so that a silent one delays nobody.
    private void Ask()
    {
        lock (_gate)
        {
            foreach (var entry in _entries.Values)
            {
                if (entry.Link is not { } link || entry.IsAsked)
                    continue;
                entry.IsAsked = true;
                _ = AskAsync(entry, link);
            }
        }
    }

    private async Task AskAsync(Entry entry, WorkerLink link)
    {
        try
        {
            await link.AskAsync();
            // The worker may have been restarted with other software.
            entry.Refusal = identity.Differs(link.Identity);
        }
        catch (Exception)
        {
            // The worker does not answer. Orleans will decide whether it is dead.
        }
        finally
        {
            entry.IsAsked = false;
        }
    }
}

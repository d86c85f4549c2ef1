using MqttCheck.Brokers.Processes;
using MqttCheck.Brokers.Wire;

namespace MqttCheck.LiveClusters.Disks;

/// <summary>
/// A disk of a node's own: an ext4 image in a sparse file, mounted on a loop device at the node's directory. The
/// loop device frees itself when the image is unmounted.
/// </summary>
internal sealed class NodeDisk : IAsyncDisposable
{
    public const string MakeProgram = "mkfs.ext4";
    public const string MountProgram = "mount";
    public const string UnmountProgram = "umount";

    /// <summary>The file that fills the disk.</summary>
    public const string FillName = ".mqttcheck-fill";

    // RabbitMQ wants 50 MB free. The file is sparse: it takes only the bytes that were written.
    private const long Bytes = 1L << 30;

    private const UnixFileMode OwnerOnly = UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute;

    private const long LargestGrowth = 64 << 20;
    private const long SmallestGrowth = 4 << 10;

    private static readonly TimeSpan s_pause = TimeSpan.FromMilliseconds(30);
    private static readonly TimeSpan s_growPause = TimeSpan.FromMilliseconds(200);

    private readonly string _directory;
    private readonly string _image;
    private readonly SemaphoreSlim _turn = new(1);
    private CancellationTokenSource? _filling;
    private Task _fill = Task.CompletedTask;
    private DiskThrottle? _throttle;
    private bool _isMounted;

    private NodeDisk(string directory, string image) => (_directory, _image) = (directory, image);

    /// <summary>
    /// How long to wait for programs that use it. Helpers of a killed node live for a moment longer. Default 10 s.
    /// </summary>
    internal TimeSpan BusyPatience { get; set; } = TimeSpan.FromSeconds(10);

    /// <summary>Makes a disk and mounts it.</summary>
    /// <param name="directory">The directory where it is mounted: exists, empty, nothing mounted there.</param>
    /// <param name="image">The file of the image, which does not exist yet.</param>
    /// <exception cref="BrokerException">
    /// The directory or the file is in use, or the machine has no disks, see <see cref="DiskSupport"/>; nothing is left
    /// then.
    /// </exception>
    public static async Task<NodeDisk> CreateAsync(string directory, string image)
    {
        if (DiskSupport.WhyNot() is { } why)
            throw new BrokerException(Sentence(why));
        if (!Directory.Exists(directory) || Directory.EnumerateFileSystemEntries(directory).Any())
            throw new BrokerException($"A node's disk: {directory} is not an empty directory; give an empty one.");
        if (MountTable.Contains(directory))
            throw new BrokerException($"A node's disk: something is mounted at {directory}; give another directory.");
        await using (var file = new FileStream(image, FileMode.CreateNew, FileAccess.Write))
            file.SetLength(Bytes);
        var disk = new NodeDisk(directory, image);
        try
        {
            await DiskProgram.RunAsync(
                MakeProgram,
                ["-q", "-F", "-m", "0", "-J", "size=16", "-E", "lazy_itable_init=1,lazy_journal_init=1", image]
            );
            await disk.MountAsync();
            Directory.Delete(Path.Combine(directory, "lost+found"));
            if (!OperatingSystem.IsWindows())
                File.SetUnixFileMode(directory, OwnerOnly);
            return disk;
        }
        catch
        {
            await disk.DisposeAsync();
            throw;
        }
    }

    /// <summary>
    /// Cuts the power: what was not written to the disk by a synchronisation, or by the system in the mean time, is
    /// gone. The disk is mounted again afterwards.
    /// </summary>
    /// <exception cref="BrokerException">A program that still runs uses it, or it cannot be mounted again.</exception>
    public Task FailPowerAsync() =>
        InTurnAsync(async () =>
        {
            await EndFillAsync();
            await EndThrottleAsync();
            DiskCalls.CutPower(_directory);
            if (await TryUnmountAsync(BusyPatience) is { } busy)
                throw new BrokerException($"A node's disk is still in use after its power failed: {busy}");
            _isMounted = false;
            await MountAsync();
            File.Delete(Path.Combine(_directory, FillName));
        });

    /// <summary>Fills it: no byte is left, until <see cref="EmptyAsync"/>.</summary>
    /// <exception cref="BrokerException">The system refuses.</exception>
    public Task FillAsync() =>
        InTurnAsync(() =>
        {
            if (_filling is not null)
                return Task.CompletedTask;
            var file = new FileStream(Path.Combine(_directory, FillName), FileMode.Create, FileAccess.Write);
            var filled = Grow(file, 0);
            _filling = new CancellationTokenSource();
            _fill = KeepFullAsync(file, filled, _filling.Token);
            return Task.CompletedTask;
        });

    /// <summary>Deletes what fills it.</summary>
    public Task EmptyAsync() => InTurnAsync(EndFillAsync);

    /// <summary>Makes it slow for a process and its descendants, until <see cref="ReleaseAsync"/>.</summary>
    /// <param name="process">The process.</param>
    /// <exception cref="BrokerException">The machine cannot do that, see <see cref="DiskThrottle.WhyNot"/>.</exception>
    public Task ThrottleAsync(int process) =>
        InTurnAsync(() =>
        {
            if (MountTable.DeviceAt(_directory) is { } device)
                (_throttle ??= DiskThrottle.Begin(device)).Add(process);
            return Task.CompletedTask;
        });

    /// <summary>Makes it as slow for another process as it is for others, if it is.</summary>
    /// <param name="process">The process.</param>
    public Task FollowAsync(int process) =>
        InTurnAsync(() =>
        {
            _throttle?.Add(process);
            return Task.CompletedTask;
        });

    /// <summary>Makes it as fast as before.</summary>
    public Task ReleaseAsync() => InTurnAsync(EndThrottleAsync);

    /// <summary>Unmounts it and deletes its image.</summary>
    /// <exception cref="BrokerException">
    /// A program keeps it in use. It is detached nevertheless, and goes when that program ends.
    /// </exception>
    public async ValueTask DisposeAsync()
    {
        string? busy = null;
        await _turn.WaitAsync();
        try
        {
            await EndFillAsync();
            await EndThrottleAsync();
            if (_isMounted && (busy = await TryUnmountAsync(BusyPatience)) is not null)
                await DiskProgram.TryAsync(UnmountProgram, ["-l", _directory]);
            _isMounted = false;
            File.Delete(_image);
        }
        finally
        {
            _turn.Release();
        }
        if (busy is not null)
            throw new BrokerException($"A node's disk is detached, and goes when the last program leaves it: {busy}");
    }

    /// <summary>A reason as a sentence.</summary>
    private static string Sentence(string reason) => $"{char.ToUpperInvariant(reason[0])}{reason[1..]}.";

    // A loop device that frees itself may not be gone yet.
    private async Task MountAsync()
    {
        var end = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(BusyPatience);
        while (
            await DiskProgram.TryAsync(
                MountProgram,
                ["-t", "ext4", "-o", "loop,nosuid,nodev,noinit_itable", _image, _directory]
            )
                is { } failure
        )
        {
            if (MonotonicClock.NowNanoseconds >= end)
                throw new BrokerException(
                    $"A node's disk cannot be mounted: {failure}\nIn a container this needs '--privileged'."
                );
            await Task.Delay(s_pause);
        }
        _isMounted = true;
    }

    private async Task<string?> TryUnmountAsync(TimeSpan patience)
    {
        var end = MonotonicClock.NowNanoseconds + MonotonicClock.Nanoseconds(patience);
        while (true)
        {
            var failure = await DiskProgram.TryAsync(UnmountProgram, [_directory]);
            if (failure is null || !MountTable.Contains(_directory))
                return null;
            if (MonotonicClock.NowNanoseconds >= end)
                return failure;
            await Task.Delay(s_pause);
        }
    }

    // A node that deletes files makes room, which goes as well.
    private static async Task KeepFullAsync(FileStream file, long size, CancellationToken cancellation)
    {
        await using var _ = file;
        while (!cancellation.IsCancellationRequested)
        {
            await Task.Delay(s_growPause, cancellation).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (!cancellation.IsCancellationRequested)
                size = Grow(file, size);
        }
    }

    private static long Grow(FileStream file, long size)
    {
        for (var growth = LargestGrowth; growth >= SmallestGrowth; )
        {
            if (DiskCalls.TryGrow(file.SafeFileHandle, size, growth))
                size += growth;
            else
                growth /= 2;
        }
        return size;
    }

    private async Task EndFillAsync()
    {
        if (_filling is not { } filling)
            return;
        _filling = null;
        await filling.CancelAsync();
        await _fill;
        filling.Dispose();
        File.Delete(Path.Combine(_directory, FillName));
    }

    private async Task EndThrottleAsync()
    {
        if (_throttle is not { } throttle)
            return;
        _throttle = null;
        await throttle.EndAsync();
    }

    private async Task InTurnAsync(Func<Task> change)
    {
        await _turn.WaitAsync();
        try
        {
            await change();
        }
        finally
        {
            _turn.Release();
        }
    }
}

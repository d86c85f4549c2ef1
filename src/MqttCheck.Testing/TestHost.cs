namespace MqttCheck.Testing;

/// <summary>
/// The services of a test framework: a directory for reports, a receiver of progress, and a token that ends the test.
/// Without a receiver, progress goes to standard error. Without a directory, no report is written.
/// </summary>
public sealed class TestHost
{
    private int _reports;

    /// <summary>
    /// The full name of the test, from which the name of its report is made. Default <c>requirement</c>.
    /// </summary>
    public string Name { get; init; } = "requirement";

    /// <summary>
    /// The filter that selects the test in <c>dotnet test --filter</c>, for the command that repeats it; null (the
    /// default) for all tests of the project.
    /// </summary>
    public string? Filter { get; init; }

    /// <summary>
    /// Names of environment variables that the command must repeat beside those that MqttCheck reads: the one that
    /// names the broker. Default none.
    /// </summary>
    public IReadOnlyList<string> Variables { get; init; } = [];

    /// <summary>
    /// The directory in which reports and pictures are written; it is made where it is missing. Null, the default, for
    /// none.
    /// </summary>
    public string? Directory { get; init; }

    /// <summary>
    /// Ends what is measured, where the measurement has no token of its own; the runs then end in order with an
    /// <see cref="OperationCanceledException"/>. Default never.
    /// </summary>
    public CancellationToken Token { get; init; }

    /// <summary>Shows a line while the test goes on. Default: standard error.</summary>
    public Action<string> WriteProgress { get; init; } = Console.Error.WriteLine;

    /// <summary>
    /// Attaches a file to the result of the test: its path, then what it is. Default: nothing is attached.
    /// </summary>
    public Action<string, string> Attach { get; init; } = (_, _) => { };

    /// <summary>
    /// Calls code of the user: an action, a set-up, or cases of a property. An exception of that code counts as a
    /// failure. A framework that counts a failed assertion although it is caught wraps the call. By default the code is
    /// called directly.
    /// </summary>
    public Func<Func<Task>, Task> Call { get; init; } = work => work();

    /// <summary>How many reports this test has, the next one included.</summary>
    internal int NextReport() => Interlocked.Increment(ref _reports);
}

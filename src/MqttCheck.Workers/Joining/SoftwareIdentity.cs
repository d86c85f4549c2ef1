using System.Globalization;
using System.Reflection;
using System.Runtime.InteropServices;
using MqttCheck.Shards;

namespace MqttCheck.Workers.Joining;

/// <summary>
/// The identity of a process's software. Two processes compute outcomes that are equal to the bit only if version, code
/// and results of the system's mathematics agree.
/// </summary>
/// <param name="Version">The version of the tool.</param>
/// <param name="Build">A hash of the code that computes.</param>
/// <param name="Arithmetic">A hash of values of logarithms, exponentials and powers.</param>
/// <param name="System">The runtime and the system, for people.</param>
internal sealed record SoftwareIdentity(string Version, string Build, string Arithmetic, string System)
{
    private const int HashLength = 12;

    /// <summary>The identity of this process.</summary>
    /// <param name="catalogue">The kinds of job that it computes.</param>
    public static SoftwareIdentity Of(JobCatalogue catalogue)
    {
        var version =
            typeof(SoftwareIdentity)
                .Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()
                ?.InformationalVersion.Split('+')[0]
            ?? "unknown";
        // A deterministic compiler gives equal code equal identifiers.
        var modules = catalogue
            .Modules.Append(typeof(JobCatalogue).Module)
            .Append(typeof(SoftwareIdentity).Module)
            .Select(module => module.ModuleVersionId.ToString())
            .Distinct()
            .Order(StringComparer.Ordinal);
        return new(
            version,
            Hash(string.Join('\n', modules)),
            Hash(string.Join('\n', Values().Select(value => value.ToString("R", CultureInfo.InvariantCulture)))),
            $"{RuntimeInformation.FrameworkDescription}, {RuntimeInformation.RuntimeIdentifier}"
        );
    }

    /// <summary>All values that have to be equal, in one text.</summary>
    internal string Key => $"{Version} {Build} {Arithmetic}";

    /// <summary>Why the outcomes of another process may differ from those of this one.</summary>
    /// <param name="other">The other process.</param>
    /// <returns>The difference, with both values; null if there is none.</returns>
    public string? Differs(SoftwareIdentity other)
    {
        if (other.Version != Version)
            return $"it runs version {other.Version}, and this is version {Version}; allowed: the same version";
        if (other.Build != Build)
            return $"it runs build {other.Build} of version {other.Version}, and this is build {Build}; allowed: the "
                + "same build, such as a copy of one published tool";
        return other.Arithmetic != Arithmetic
            ? $"its mathematics give other last digits ({other.System}) than those here ({System}); allowed: the same "
                + "runtime on the same kind of system"
            : null;
    }

    private static string Hash(string text) =>
        JobDescription.HashOf(global::System.Text.Encoding.UTF8.GetBytes(text))[..HashLength];

    // These functions are not correctly rounded by all systems, so they are compared at points of all magnitudes.
    private static IEnumerable<double> Values()
    {
        for (var i = 1; i <= 200; i++)
        {
            var x = i * .137;
            yield return Math.Log(x);
            yield return Math.Exp(-x);
            yield return Math.Pow(x, .71);
            yield return Math.Sin(x);
            yield return Math.Cos(x);
            yield return Math.Tanh(x / 20);
        }
    }
}

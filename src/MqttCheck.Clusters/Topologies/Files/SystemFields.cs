using MqttCheck.Json;

namespace MqttCheck.Clusters.Topologies.Files;

/// <summary>The keys that only some systems have; with another one they are refused by name.</summary>
/// <typeparam name="T">The type that the object of the keys stands for.</typeparam>
/// <param name="fields">The keys of the object.</param>
/// <param name="system">The system of the cluster.</param>
internal sealed class SystemFields<T>(JsonFields<T> fields, ClusterSystem system)
{
    private static readonly string s_own = string.Join(
        ", ",
        Enum.GetValues<ClusterSystem>().Where(ClusterSystems.IsOwn).Select(ClusterSystems.Name)
    );

    /// <summary>A key of MqttCheck's own nodes.</summary>
    public TValue Own<TValue>(string key, JsonKind<TValue> kind, Func<T, TValue> get, TValue usual) =>
        Of(key, kind, get, usual, system.IsOwn(), s_own);

    /// <summary>A key of some systems.</summary>
    public TValue Of<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        TValue usual,
        params ClusterSystem[] systems
    ) =>
        Of(
            key,
            kind,
            get,
            usual,
            systems.Contains(system),
            string.Join(" or ", systems.Select(allowed => $"'{allowed.Name()}'"))
        );

    /// <summary>A key that is allowed or not.</summary>
    public TValue Of<TValue>(
        string key,
        JsonKind<TValue> kind,
        Func<T, TValue> get,
        TValue usual,
        bool isAllowed,
        string allowed
    )
    {
        return isAllowed
            ? fields.Optional(key, kind, get, usual)
            : fields.Optional(key, kind with { Read = Refused }, _ => usual, usual);

        TValue Refused(JsonTree tree, JsonFindings findings)
        {
            findings.Add(tree, $"a system '{system.Name()}' has no such setting; allowed: with {allowed}");
            return usual;
        }
    }
}

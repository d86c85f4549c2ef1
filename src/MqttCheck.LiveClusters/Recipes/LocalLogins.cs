using System.Security.Cryptography;
using System.Text;
using MqttCheck.Brokers.Processes;
using MqttCheck.Clusters.Mosquitto;
using static System.FormattableString;

namespace MqttCheck.LiveClusters.Recipes;

/// <summary>
/// The logins of a run of users' configurations: the names are those of the files, and the password is drawn for the
/// run. So no secret of the files is needed.
/// </summary>
/// <param name="users">The names of bridges.</param>
/// <param name="client">The name of MqttCheck's own clients; null for one that may do everything.</param>
internal sealed class LocalLogins(IEnumerable<string> users, string? client)
{
    private const string OwnClient = "mqttcheck";

    // Mosquitto's own format: PBKDF2 with SHA-512.
    private const int Iterations = 101;
    private const int SaltBytes = 12;
    private const int HashBytes = 64;

    private readonly string[] _users = [.. users.Append(client ?? OwnClient).Distinct()];

    /// <summary>The password of everybody.</summary>
    public string Password { get; } = RandomNumberGenerator.GetHexString(24);

    /// <summary>The login of MqttCheck's own clients.</summary>
    public Credentials Credentials => new(client ?? OwnClient, Password);

    /// <summary>A password file.</summary>
    public string Text()
    {
        var text = new StringBuilder();
        foreach (var user in _users)
        {
            var salt = RandomNumberGenerator.GetBytes(SaltBytes);
            var hash = Rfc2898DeriveBytes.Pbkdf2(Password, salt, Iterations, HashAlgorithmName.SHA512, HashBytes);
            text.Append(user)
                .Append(Invariant($":$7${Iterations}${Convert.ToBase64String(salt)}${Convert.ToBase64String(hash)}\n"));
        }
        return text.ToString();
    }

    /// <summary>The access list that a line names, with the rights of MqttCheck's own clients.</summary>
    /// <param name="line">The line <c>acl_file</c>.</param>
    /// <exception cref="InputException">It cannot be read.</exception>
    public string WithRights(ConfLine line)
    {
        try
        {
            var text = File.ReadAllText(line.Value);
            return client is null ? $"{text}\nuser {OwnClient}\ntopic readwrite #\n" : text;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new InputException(
                $"{line.Place}: acl_file '{line.Value}' cannot be read: {failure.Message}; allowed: an access list."
            );
        }
    }
}
